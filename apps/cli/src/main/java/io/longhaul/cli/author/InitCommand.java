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
import io.longhaul.file.script.ScriptLanguage;
import io.longhaul.file.text.EnumWords;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Asks for the first tool, and writes a file with it. */
public final class InitCommand implements CliCommand {
    private static final Option YES = Option.flag("--yes", "ask nothing: take the defaults");
    private static final Option FORCE = Option.flag("--force", "overwrite an existing file");
    private static final List<Option> LANGUAGES = Stream.of(ScriptLanguage.values())
            .map(language -> Option.flag("--" + EnumWords.of(language), "write a tool with a script in this language"))
            .toList();
    private static final List<String> DETAILS = List.of(
            "Without FILE.yaml, the file is tools.yaml. The command writes longhaul.schema.json beside it, by which",
            "editors complete the fields. longhaul check FILE reports mistakes; docs/YAML.md has all fields.",
            "A script has a test and a helper file: docs/COMMANDS.md.",
            "exit codes: 0 written, 2 usage or the file exists, 6 no terminal for the questions");

    @Override
    public Help help() {
        return new Help("init [FILE.yaml]", "write a first file of tools", DETAILS, Option.and(LANGUAGES, YES, FORCE));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws IOException, InterruptedException {
        arguments.expectWords(1);
        var file = Path.of(arguments.words().stream().findFirst().orElse("tools.yaml"));
        boolean mayOverwrite = arguments.has(FORCE);
        var languages = Stream.of(ScriptLanguage.values())
                .filter(language -> arguments.has(LANGUAGES.get(language.ordinal())))
                .toList();
        if (languages.size() > 1) {
            throw new UsageException("a script is in one language. Give one of the options.");
        }
        var texts = new LinkedHashMap<Path, String>();
        for (var language : languages) {
            texts.put(file, language.firstFile());
            language.files().forEach((name, text) -> texts.put(file.resolveSibling(name), text));
        }
        texts.keySet().forEach(path -> refuseExisting(path, mayOverwrite));
        if (languages.isEmpty()) {
            refuseExisting(file, mayOverwrite);
            var first = first(arguments, terminal);
            if (first.isEmpty()) {
                return ExitCode.UNANSWERED;
            }
            texts.put(file, first.get().text());
        }
        for (var text : texts.entrySet()) {
            write(text.getKey(), text.getValue(), mayOverwrite);
        }
        write(file.resolveSibling(FirstFile.SCHEMA), FirstFile.schema(), true);
        var name = SafeText.line(file.toString());
        var written = texts.keySet().stream().map(path -> SafeText.line(path.toString()));
        terminal.out().println("wrote " + String.join(", ", written.toList()));
        languages.forEach(language -> terminal.out().println("test: " + language.testing()));
        terminal.out().println("next: longhaul check " + name + ", then longhaul serve " + name);
        return ExitCode.OK;
    }

    private static void refuseExisting(Path file, boolean mayOverwrite) {
        if (Files.exists(file) && !mayOverwrite) {
            throw new UsageException(
                    file + " is there. Name another file, or add " + FORCE.name() + " to overwrite it.");
        }
    }

    /** The default, or the answers of the person; empty where nobody answers. */
    private static Optional<FirstFile> first(Arguments arguments, Terminal terminal) throws InterruptedException {
        if (arguments.has(YES)) {
            return Optional.of(FirstFile.DEFAULT);
        }
        if (!terminal.facts().asks()) {
            terminal.say("nobody is there to answer. Add " + YES.name() + " to take the defaults.");
            return Optional.empty();
        }
        return ask(UserConsole.at(terminal));
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
