// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.connect;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.Version;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.client.McpClientBuilder;
import java.util.List;

/** The credentials that a user gives for a server over HTTP. */
public final class Credentials {

    private static final Option TOKEN = Option.valued("--token", "TOKEN", "send this bearer token with every request");
    private static final Option HEADER =
            Option.valued("--header", "'NAME: VALUE'", "send this header with every request; may be repeated");

    /** The options of every command that takes the address of a server. */
    public static final List<Option> OPTIONS = List.of(TOKEN, HEADER);

    private Credentials() {}

    /**
     * The client of a server; see {@link #give}.
     *
     * @throws UsageException where the user gives a credential without naming its server
     */
    public static McpClientBuilder client(NamedServer server, Arguments arguments, Terminal terminal) {
        if (server.isGuessed() && (arguments.has(TOKEN) || arguments.has(HEADER))) {
            throw new UsageException("--token and --header are for one server. Write its address, or set "
                    + NamedServer.VARIABLE + ": " + server.foundBy() + " is at " + server.target() + ".");
        }
        return give(CommandTarget.client(server.target()), arguments, terminal);
    }

    /**
     * The client with the name of this program, in the generation that the user chose, and with the credentials of the
     * user or the tokens of an earlier login.
     */
    public static McpClientBuilder give(McpClientBuilder builder, Arguments arguments, Terminal terminal) {
        builder.name("longhaul", Version.TEXT);
        Generations.chosen(arguments).ifPresent(builder::generation);
        if (!arguments.has(TOKEN)) {
            KeptLogins.use(builder, terminal.env());
        }
        arguments.values(HEADER).forEach(header -> add(builder, header));
        arguments.value(TOKEN).ifPresent(token -> {
            try {
                builder.bearer(token);
            } catch (IllegalArgumentException e) {
                throw new UsageException("--token is no token: a header cannot carry it.");
            }
        });
        return builder;
    }

    private static void add(McpClientBuilder builder, String header) {
        int colon = header.indexOf(':');
        if (colon < 1) {
            throw new UsageException("\"" + header + "\" is no header. Write --header 'NAME: VALUE'.");
        }
        var name = header.substring(0, colon).strip();
        try {
            builder.header(name, header.substring(colon + 1).strip());
        } catch (IllegalArgumentException e) {
            throw new UsageException("the header " + name + " cannot be sent: " + e.getMessage());
        }
    }
}
