// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.author;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.LineInput;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.SafeText;
import io.longhaul.file.FirstFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Asks for the first tool, and writes a file with it. */
public final class InitCommand implements CliCommand {
    private static final Option YES = Option.flag("--yes", "ask nothing: take the defaults");
    private static final Option FORCE = Option.flag("--force", "overwrite an existing file");
    private static final List<String> DETAILS = List.of(
            "Without FILE.yaml, the file is tools.yaml. The command writes longhaul.schema.json beside it, by which",
            "editors complete the fields. longhaul check FILE reports mistakes; docs/YAML.md has all fields.",
            "exit codes: 0 written, 2 usage or the file exists, 6 no terminal for the questions");

    @Override
    public Help help() {
        return new Help("init [FILE.yaml]", "write a first file of tools", DETAILS, List.of(YES, FORCE));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws IOException, InterruptedException {
        arguments.expectWords(1);
        var file = Path.of(arguments.words().stream().findFirst().orElse("tools.yaml"));
        boolean mayOverwrite = arguments.has(FORCE);
        if (Files.exists(file) && !mayOverwrite) {
            throw new UsageException(
                    file + " is there. Name another file, or add " + FORCE.name() + " to overwrite it.");
        }
        var first = FirstFile.DEFAULT;
        if (!arguments.has(YES)) {
            if (!terminal.facts().asks()) {
                terminal.say("nobody is there to answer. Add " + YES.name() + " to take the defaults.");
                return ExitCode.UNANSWERED;
            }
            var asked = new Dialogue(terminal).ask();
            if (asked.isEmpty()) {
                return ExitCode.UNANSWERED;
            }
            first = asked.get();
        }
        write(file, first.text(), mayOverwrite);
        write(file.resolveSibling(FirstFile.SCHEMA), FirstFile.schema(), true);
        var name = SafeText.line(file.toString());
        terminal.out().println("wrote " + name);
        terminal.out().println("next: longhaul check " + name + ", then longhaul serve " + name);
        return ExitCode.OK;
    }

    private static void write(Path file, String text, boolean mayOverwrite) throws IOException {
        try {
            if (mayOverwrite) {
                Files.writeString(file, text);
            } else {
                Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
            }
        } catch (FileAlreadyExistsException e) {
            throw new UsageException(file + " is there now. Add " + FORCE.name() + " to overwrite it.");
        } catch (IOException e) {
            throw new UsageException(file + " cannot be written. Name a file in a folder that is there.");
        }
    }

    /** The questions, each with its default for Enter. */
    private static final class Dialogue {
        private final Terminal terminal;
        private final LineInput lines;

        Dialogue(Terminal terminal) {
            this.terminal = terminal;
            lines = new LineInput(terminal.in());
        }

        /** Asks all questions; empty where the person leaves. */
        Optional<FirstFile> ask() throws InterruptedException {
            var usual = FirstFile.DEFAULT;
            var name = ask("Name of the tool", usual.tool(), FirstFile::badName);
            var what = name.isEmpty() ? name : ask("What it does, for the model", usual.description(), text -> null);
            var command = what.isEmpty()
                    ? what
                    : ask("Command, where {name} is an argument of the call", usual.command(), FirstFile::badCommand);
            return command.isEmpty()
                    ? Optional.empty()
                    : ask("Longest run", usual.timeout(), FirstFile::badTime)
                            .map(time -> new FirstFile(name.get(), what.get(), command.get(), time));
        }

        private Optional<String> ask(String question, String usual, Function<String, String> problem)
                throws InterruptedException {
            while (true) {
                terminal.err().print(question + " [" + usual + "]: ");
                var line = lines.next();
                if (line.isEmpty()) {
                    return line;
                }
                var answer = line.get().isBlank() ? usual : line.get().strip();
                var wrong = problem.apply(answer);
                if (wrong == null) {
                    return Optional.of(answer);
                }
                terminal.err().println(wrong);
            }
        }
    }
}
