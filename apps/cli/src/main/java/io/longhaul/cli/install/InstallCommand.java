// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.install;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.file.text.EnumWords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Prints, or writes, the configuration by which a host starts a Longhaul server. */
public final class InstallCommand implements CliCommand {

    private static final Option WRITE =
            Option.flag("--write", "add the server to the host's file, and keep the old file as .bak");
    private static final Option TO =
            Option.valued("--to", "PATH", "with --write: use this file instead of the host's own");
    private static final Option NAME =
            Option.valued("--name", "NAME", "what the host calls the server; the name of FILE by default");
    private static final Option COMMAND =
            Option.valued("--command", "PATH", "the program that the host starts; by default longhaul, found in PATH");

    @Override
    public Help help() {
        return new Help(
                "install " + String.join("|", EnumWords.all(Host.class)) + " FILE",
                "print or write the configuration with which a host starts a server",
                List.of(
                        "FILE is a file for longhaul serve. The host starts the server over standard input and output.",
                        "claude is Claude Desktop; with --write --to .mcp.json, a project of Claude Code."),
                List.of(WRITE, TO, NAME, COMMAND));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws IOException {
        arguments.expectWords(2);
        var word = arguments.word(0, "the host");
        var host = EnumWords.find(Host.class, word)
                .orElseThrow(() -> UsageException.unknown("there is no host", word, EnumWords.all(Host.class)));
        var file = Path.of(arguments.word(1, "the file of the server"))
                .toAbsolutePath()
                .normalize();
        if (!Files.isRegularFile(file)) {
            throw new UsageException("there is no file " + file + ".");
        }
        var name = arguments.value(NAME).orElseGet(() -> nameOf(file));
        var command = List.of(arguments.value(COMMAND).orElse("longhaul"), "serve", "--stdio", file.toString());
        if (!arguments.has(WRITE)) {
            if (arguments.value(TO).isPresent()) {
                throw new UsageException("--to names the file that --write changes: add --write, or leave out --to.");
            }
            terminal.out().println(JsonText.pretty(HostFile.configuration(host, name, command)));
            return ExitCode.OK;
        }
        var path = arguments.value(TO).map(Path::of).orElseGet(() -> own(host, terminal));
        var kept = new HostFile(host, path).add(name, command);
        terminal.say(SafeText.line(name) + " is in " + path + (kept.equals(path) ? "" : "; the file before is " + kept)
                + ". Restart the host.");
        return ExitCode.OK;
    }

    private static String nameOf(Path file) {
        return String.valueOf(file.getFileName()).replaceFirst("\\.ya?ml$", "");
    }

    private static Path own(Host host, Terminal terminal) {
        var home = Path.of(System.getProperty("user.home"));
        var system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        return host.file(home, Path.of("").toAbsolutePath(), system, terminal.env());
    }
}
