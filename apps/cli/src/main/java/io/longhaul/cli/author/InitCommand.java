// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.author;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.terminal.UserConsole;
import io.longhaul.cli.text.SafeText;
import io.longhaul.file.FirstFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
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
            var asked = ask(UserConsole.at(terminal));
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

    /** Asks all questions; empty where the person leaves. */
    private static Optional<FirstFile> ask(UserConsole console) throws InterruptedException {
        var usual = FirstFile.DEFAULT;
        var questions = List.of(
                new Question("Name of the tool", usual.tool(), FirstFile::badName),
                new Question("What it does, for the model", usual.description(), text -> null),
                new Question(
                        "Command, where {name} is an argument of the call", usual.command(), FirstFile::badCommand),
                new Question("Longest run", usual.timeout(), FirstFile::badTime));
        var answers = new ArrayList<String>();
        for (var question : questions) {
            var answer = question.ask(console);
            if (answer.isEmpty()) {
                return Optional.empty();
            }
            answers.add(answer.get());
        }
        return Optional.of(new FirstFile(answers.get(0), answers.get(1), answers.get(2), answers.get(3)));
    }

    /**
     * A question about a file.
     *
     * @param usual   the answer of Enter
     * @param problem what is wrong with an answer; null where nothing is
     */
    private record Question(String text, String usual, Function<String, String> problem) {
        /** Asks until the answer is good; empty where the person leaves. */
        Optional<String> ask(UserConsole console) throws InterruptedException {
            while (true) {
                var line = console.ask(text + " [" + usual + "]: ");
                var answer = line.map(given -> given.isEmpty() ? usual : given);
                var wrong = answer.map(problem);
                if (wrong.isEmpty()) {
                    return answer;
                }
                console.terminal().err().println(wrong.get());
            }
        }
    }
}
