// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.login;

import io.longhaul.authorization.OAuth;
import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.command.Version;
import io.longhaul.cli.connect.CommandTarget;
import io.longhaul.cli.connect.KeptLogins;
import io.longhaul.cli.connect.NamedServer;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.SafeText;
import java.net.URI;
import java.util.List;
import java.util.function.Consumer;

/**
 * Logs in at a server, and keeps the tokens for the other commands.
 *
 * @param browser opens a web address for the person
 */
public record LoginCommand(Consumer<URI> browser) implements CliCommand {

    private static final List<String> DETAILS = List.of(
            NamedServer.HELP,
            "Opens a browser, and stores the tokens of the server's authorization server in a file that only you can",
            "read. Every command that takes the address of a server uses and renews them. Without a browser here, open",
            "the address elsewhere, and forward the answer to this machine: give --redirect with a forwarded port.",
            "An earlier login that is still valid stays, unless --client-id, --client-metadata, --issuer or --scope is",
            "given: then you log in again.",
            "exit codes: 0 success, 2 usage, 3 refused, 4 no connection");
    private static final Option FORGET = Option.flag("--forget", "log out: delete what is stored for this server");
    private static final Option CLIENT_ID = Option.valued(
            "--client-id", "ID", "the id of a client that you have registered at the authorization server");
    private static final Option CLIENT_SECRET =
            Option.valued("--client-secret", "SECRET", "the secret of that client, if it has one");
    private static final Option CLIENT_METADATA =
            Option.valued("--client-metadata", "URL", "the address of a client metadata document, as client id");
    private static final Option ISSUER = Option.valued("--issuer", "URL", "log in only at this authorization server");
    private static final Option SCOPE = Option.valued("--scope", "SCOPE", "ask for this scope; may be repeated");
    private static final Option REDIRECT = Option.valued(
            "--redirect",
            "URL",
            "the address here to which the browser brings the answer (http://127.0.0.1:0/callback)");

    /** The options that a login from before may not fit. */
    private static final List<Option> CHOICES = List.of(CLIENT_ID, CLIENT_METADATA, ISSUER, SCOPE);

    public LoginCommand() {
        this(Browser::open);
    }

    @Override
    public Help help() {
        return new Help(
                "login [URL]",
                "log in at a server that requires authorization",
                DETAILS,
                List.of(FORGET, CLIENT_ID, CLIENT_SECRET, CLIENT_METADATA, ISSUER, SCOPE, REDIRECT));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) {
        arguments.expectWords(1);
        var server = CommandTarget.http(
                NamedServer.of(arguments.words(), 0, terminal).target());
        var store = KeptLogins.store(terminal.env());
        var oauth = OAuth.browser(address -> show(address, terminal)).tokens(store);
        if (arguments.has(FORGET)) {
            oauth.forget(server);
            terminal.say("what was kept for " + SafeText.line(server.toString()) + " is forgotten");
            return ExitCode.OK;
        }
        UsageException.expect("", () -> choose(oauth, arguments));
        return login(server, oauth, terminal);
    }

    private static OAuth choose(OAuth oauth, Arguments arguments) {
        if (CHOICES.stream().anyMatch(arguments::has)) {
            oauth.anew();
        }
        oauth.scopes(arguments.values(SCOPE).toArray(String[]::new));
        arguments
                .value(CLIENT_ID)
                .ifPresent(id ->
                        oauth.registered(id, arguments.value(CLIENT_SECRET).orElse(null)));
        arguments.value(CLIENT_METADATA).map(URI::create).ifPresent(oauth::metadataDocument);
        arguments.value(ISSUER).ifPresent(oauth::issuer);
        arguments.value(REDIRECT).map(URI::create).ifPresent(oauth::redirect);
        return oauth;
    }

    private static int login(URI server, OAuth oauth, Terminal terminal) {
        try (var client = CommandTarget.client(server.toString())
                .name("longhaul", Version.TEXT)
                .authorize(oauth)
                .connect()) {
            client.tools();
            var name = SafeText.line(client.server().name());
            terminal.say(oauth.isKept(server) ? "you are logged in at " + name : name + " wants no login");
            return ExitCode.OK;
        }
    }

    private void show(URI address, Terminal terminal) {
        terminal.err().println("Open this address in a browser, if it does not open by itself:");
        terminal.err().println(SafeText.line(address.toString()));
        if (terminal.facts().asks()) {
            browser.accept(address);
        }
    }
}
