// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.work;

import io.longhaul.backend.shell.output.ResultFiles;
import io.longhaul.engine.run.Template;
import io.longhaul.file.tree.Binder;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.YamlTree;
import io.longhaul.file.value.Placeholders;
import io.longhaul.file.work.CommandEntry.Arguments;
import io.longhaul.file.work.CommandEntry.Environment;
import io.longhaul.file.work.ShellWords.Word;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the command of a tool, its environment and its folder. */
public final class CommandReader {
    /** The fields that only a command has. */
    private static final List<String> OF_COMMANDS = List.of(
            "command",
            "env",
            "stdin",
            "retry/exitCodes",
            "raw",
            "inherit",
            "cwd",
            "files",
            "dashes",
            "suspendAfter",
            "successCodes",
            "progress",
            "partial",
            "stderr",
            "encoding",
            "hide",
            "say",
            "sayPrefix");

    private final Binder in;
    private final FileFields file;
    private final String at;
    private final Placeholders places;
    private final List<Word> scripts = new ArrayList<>();

    /**
     * Reads the tool at a place of the file.
     *
     * @param places the values that can fill the command's places
     */
    public CommandReader(Binder in, String at, Placeholders places) {
        this.in = in;
        this.file = in.file();
        this.at = at;
        this.places = places;
    }

    /**
     * Reports fields of commands in a tool that runs another kind of work.
     *
     * @param lost what becomes of a lost job, in place of a new run of the command
     */
    static void refuse(FileFields file, String tool, String work, String lost) {
        var others = "stands beside " + work + ", and is of commands";
        OF_COMMANDS.stream()
                .map(field -> tool + "/" + field)
                .filter(file::has)
                .forEach(place -> file.wrong(place, others, "Keep one of the two"));
        if (file.flag(tool + "/quick")) {
            file.apart(tool + "/retry", "Keep one of the two: a quick call ends with the first failure", tool, "quick");
        }
        if ("restart".equals(file.text(tool + "/onCrash"))) {
            file.wrong(tool + "/onCrash", "restart " + others, "Leave it out: " + lost);
        }
    }

    /** Reports status codes of a retry in a tool that calls no API. */
    static void refuseStatusCodes(FileFields file, String tool) {
        if (file.has(tool + "/retry/statusCodes")) {
            file.wrong(tool + "/retry/statusCodes", "is of http, and the tool has none", "Leave it out");
        }
    }

    public CommandEntry read() {
        refuseStatusCodes(file, at);
        var groups = file.places(at + "/command")
                .map(item -> ShellWords.words(file, item))
                .toList();
        var all = groups.stream().flatMap(List::stream).toList();
        ShellWords.scripts(all).forEach(place -> scripts.add(all.get(place)));
        scripts.forEach(this::checkScript);
        ShellWords.check(file, all);
        return new CommandEntry(
                program(groups),
                groups.stream().skip(1).map(this::arguments).toList(),
                environment(),
                new CommandEntry.WorkPlace(
                        folder(isOwnFolder() ? null : file.text(at + "/cwd"), in.base()), isOwnFolder(), files()),
                file.has(at + "/dashes"),
                stdin());
    }

    private @Nullable String stdin() {
        var text = file.text(at + "/stdin");
        return text == null ? null : argument(new Word(at + "/stdin", text)).text();
    }

    private Environment environment() {
        var environment = in.read(at, "tool", Environment.class);
        environment.fixed().forEach((name, value) -> {
            if (!Template.parse(value).slots().isEmpty()) {
                var place = YamlTree.below(at + "/env", name);
                file.wrong(place, "has a placeholder, which only arguments can have", "Give it to the command instead");
            }
        });
        file.places(at + "/inherit").forEach(place -> file.checkVariable(place, String.valueOf(file.text(place))));
        return environment;
    }

    private String program(List<List<Word>> groups) {
        if (groups.isEmpty()) {
            return "";
        }
        if (file.node(at + "/command/0").isArray()) {
            file.wrong(at + "/command", "names no program", "Begin the list with one");
        }
        if (groups.getFirst().isEmpty()) {
            return "";
        }
        var program = groups.getFirst().getFirst();
        if (!Template.parse(program.text()).slots().isEmpty()) {
            file.wrong(
                    program.at(),
                    "lets the caller choose the program",
                    "Name the program itself, and use inputs behind it");
        } else if (program.text().isBlank() || program.text().startsWith("-")) {
            file.wrong(program.at(), FileFields.quote(program.text()) + " is no program", "Name one, or its path");
        } else if (program.text().contains(" ") && !program.text().contains("/")) {
            var problem = FileFields.quote(program.text()) + " is a whole command line, which no shell takes apart";
            file.warn(program.at(), problem, "Make each word an item of the list");
        }
        return program.text();
    }

    private Arguments arguments(List<Word> group) {
        var templates = group.stream().map(this::argument).toList();
        return new Arguments(
                templates.stream().map(Template::text).toList(),
                templates.stream().anyMatch(places::canBeMissing));
    }

    private Template argument(Word word) {
        var template = scripts.contains(word)
                ? places.script(word.at(), word.text())
                : places.template(word.at(), word.text());
        for (var slot : template.slots()) {
            if (places.isList(slot) && template.onlySlot().isEmpty()) {
                file.wrong(
                        word.at(),
                        "puts the list {" + slot + "} inside an argument",
                        "Make \"{" + slot + "}\" an argument of its own: each item becomes one argument");
            }
        }
        return template;
    }

    /** Refuses a value inside of a script, because it would run as the caller's code. */
    private void checkScript(Word script) {
        if (!Template.parse(script.text()).slots().isEmpty()) {
            file.wrong(
                    script.at(),
                    "puts an input into a script, where the caller could write code",
                    "Use \"$1\" in the script, and give the input as an argument behind it:"
                            + " [sh, -c, 'echo \"$1\"', sh, \"{input}\"], or use stdin");
        }
    }

    private boolean isOwnFolder() {
        return "job".equals(file.text(at + "/cwd"));
    }

    private List<String> files() {
        if (file.has(at + "/files")) {
            file.apart(at + "/files", "Keep one of the two: a quick call keeps no files", at, "quick");
        }
        var patterns = new ArrayList<String>();
        for (var place : file.places(at + "/files").toList()) {
            var pattern = file.text(place, "");
            if (!isLegal(pattern)) {
                file.wrong(
                        place,
                        FileFields.quote(pattern) + " is no file below the folder of the command",
                        "Write a path such as report.pdf, or a pattern such as out/*.png");
            } else {
                patterns.add(pattern);
            }
        }
        return patterns;
    }

    private static boolean isLegal(String pattern) {
        try {
            return ResultFiles.isLegal(pattern);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private Path folder(@Nullable String text, Path base) {
        if (text == null) {
            return base;
        }
        boolean isHome = text.equals("~") || text.startsWith("~/");
        var path = base.resolve(isHome ? System.getProperty("user.home") + text.substring(1) : text)
                .normalize();
        if (!Files.isDirectory(path)) {
            file.wrong(
                    at + "/cwd",
                    path + " is no folder",
                    "Name one that is there; it is counted from the folder of this file");
        }
        return path;
    }
}
