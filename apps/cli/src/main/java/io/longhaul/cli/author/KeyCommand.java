// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.author;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.oauth.ApiKey;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;

/** Makes an API key, and prints the key once, with its entry for a file of tools. */
public final class KeyCommand implements CliCommand {
    private final SecureRandom random = new SecureRandom();
    private static final Option SCOPE = Option.valued("--scope", "SCOPE", "give the key this scope; may be repeated");
    private static final List<String> DETAILS = List.of(
            "The key is the only line on standard output, and is stored nowhere. Its caller sends the key as",
            "Authorization: Bearer. Put the lines on standard error into the file of tools; they have only its hash.",
            "exit codes: 0 success, 2 usage");

    @Override
    public Help help() {
        return new Help("key NAME", "make an API key for a caller of a server over HTTP", DETAILS, List.of(SCOPE));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) {
        var name = arguments.word(0, "the name of the caller");
        arguments.expectWords(1);
        var key = ApiKey.create(random);
        var entry = UsageException.expect(
                "", () -> new ApiKey(name, ApiKey.hash(key), Set.copyOf(arguments.values(SCOPE))));
        terminal.say("this key is shown once. Its entry in the file of tools:");
        terminal.err().println("auth:");
        terminal.err().println("  keys:");
        terminal.err().println("    - name: " + entry.name());
        terminal.err().println("      sha256: " + entry.sha256());
        if (!entry.scopes().isEmpty()) {
            var scopes = entry.scopes().stream().sorted().map(scope -> "'" + scope.replace("'", "''") + "'");
            terminal.err().println("      scopes: [" + String.join(", ", scopes.toList()) + "]");
        }
        terminal.out().println(key);
        return ExitCode.OK;
    }
}
