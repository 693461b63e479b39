// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.install;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.SafeText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** Prints, or writes, the configuration by which a host finds a Longhaul server. */
public final class InstallCommand implements CliCommand {

    private static final Option WRITE =
            Option.flag("--write", "add the server to the host's file, and keep the first old file as .bak");
    private static final Option TO =
            Option.valued("--to", "PATH", "with --write: use this file instead of the host's own");
    private static final Option COMMAND = Option.valued(
            "--command", "PATH", "the program that the host starts; by default longhaul or npx, found in PATH");

    @Override
    public Help help() {
        return new Help(
                "install " + String.join("|", Host.words()) + " FILE|URL",
                "print or write the configuration with which a host finds a server",
                List.of(
                        "FILE is a file for longhaul serve: the host starts the server over standard input and output.",
                        "URL is the address of a server; claude and jetbrains start longhaul gateway for it.",
                        "claude is Claude Desktop. claude-code runs 'claude mcp add-json', or with --to .mcp.json",
                        "changes a project. jetbrains is Junie. Comments in the host's file stay as they are.",
                        "--behind moves the servers of the host behind a gateway; uninstall HOST --behind restores"
                                + " them."),
                List.of(WRITE, TO, InstallTarget.NAME, COMMAND, InstallTarget.BEHIND));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws IOException {
        if (arguments.has(InstallTarget.BEHIND)) {
            return behind(arguments, terminal);
        }
        var target = InstallTarget.of(arguments, TO);
        var entry = entry(target, arguments, terminal);
        var name = target.name();
        if (!arguments.has(WRITE)) {
            if (target.to().isPresent()) {
                throw new UsageException("--to names the file that --write changes: add --write, or leave out --to.");
            }
            var text = target.isByCommand()
                    ? ClaudeCode.adding(name, entry).typed()
                    : target.host().configuration(name, entry).stripTrailing();
            terminal.out().println(SafeText.block(text));
            return ExitCode.OK;
        }
        if (target.isByCommand()) {
            return ClaudeCode.adding(name, entry).run(terminal);
        }
        var file = target.file(terminal);
        file.add(name, entry);
        terminal.say(SafeText.line(name) + " is in " + file.path()
                + (Files.exists(file.backup()) ? "; the file before is " + file.backup() : "") + ". Restart "
                + target.host().title() + ".");
        return ExitCode.OK;
    }

    private static int behind(Arguments arguments, Terminal terminal) throws IOException {
        var behind = Behind.of(InstallTarget.behind(arguments, TO, terminal), terminal);
        var program = arguments.value(COMMAND).orElseGet(() -> InstallTarget.program("longhaul", terminal));
        var file = behind.file();
        var names = SafeText.line(String.join(", ", behind.servers().propertyNames()));
        if (!arguments.has(WRITE)) {
            terminal.out()
                    .println(SafeText.block(file.host()
                            .configuration(Behind.NAME, behind.entry(program))
                            .stripTrailing()));
            terminal.say("With --write, that stands in " + file.path() + " in place of " + names + ".");
            return ExitCode.OK;
        }
        behind.put(program);
        terminal.say(names + " moved to " + behind.kept() + ", which the gateway serves. Restart "
                + file.host().title() + ". longhaul uninstall " + file.host().word() + " --behind puts them back.");
        return ExitCode.OK;
    }

    private static ObjectNode entry(InstallTarget target, Arguments arguments, Terminal terminal) {
        var program = program(arguments, terminal);
        if (target.address().isPresent()) {
            var address = target.address().get();
            return target.host().takesOnlyPrograms()
                    ? target.host().started(target.name(), command(program, "gateway", address.toString()))
                    : target.host().reached(target.name(), address);
        }
        var file = Path.of(target.server()).toAbsolutePath().normalize();
        if (!Files.isRegularFile(file)) {
            throw new UsageException("there is no file " + file + ".");
        }
        return target.host().started(target.name(), command(program, "serve", "--stdio", file.toString()));
    }

    /** The beginning of the command that the host starts: npx where npx has started this program. */
    private static List<String> program(Arguments arguments, Terminal terminal) {
        var npx = terminal.env().get("LONGHAUL_NPX");
        return npx == null || arguments.has(COMMAND)
                ? List.of(arguments.value(COMMAND).orElseGet(() -> InstallTarget.program("longhaul", terminal)))
                : List.of(InstallTarget.program("npx", terminal), "-y", npx);
    }

    private static List<String> command(List<String> program, String... words) {
        return Stream.concat(program.stream(), Stream.of(words)).toList();
    }

    /** The hosts in whose own files a server of Longhaul is, with these files. */
    public static List<String> configured(Terminal terminal) {
        var configured = new ArrayList<String>();
        for (var host : Host.values()) {
            var file = HostFile.own(host, terminal).path();
            try {
                if (Files.isRegularFile(file) && Files.readString(file).contains("longhaul")) {
                    configured.add(host.title() + " (" + file + ")");
                }
            } catch (IOException e) {
                configured.add(host.title() + " (" + file + " cannot be read)");
            }
        }
        return configured;
    }
}
