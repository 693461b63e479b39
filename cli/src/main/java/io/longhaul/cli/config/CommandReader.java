package io.longhaul.cli.config;

import io.longhaul.backend.shell.Scripts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Reads the command of a tool, its environment and its folder. */
final class CommandReader {
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final Set<String> known;
    private final Set<String> always;
    private final ObjectNode schema;

    /**
     * Takes what places of a command can be filled with.
     *
     * @param known  all names
     * @param always those that always have a value
     * @param schema says which of them are lists
     */
    CommandReader(Set<String> known, Set<String> always, ObjectNode schema) {
        this.known = known;
        this.always = always;
        this.schema = schema;
    }

    CommandEntry read(Map<String, Entry> tool, Path base) {
        var items = items(tool.get("command"));
        var program = checkedProgram(items.getFirst());
        checkScripts(items);
        return new CommandEntry(
                program,
                items.stream().skip(1).map(this::arguments).toList(),
                environment(tool.get("env")),
                inherited(tool.get("inherit")),
                folder(tool.get("cwd"), base),
                dashesAllowed(tool.get("dashes")));
    }

    private static List<Entry> items(Entry command) {
        if (!command.isList()) {
            throw command.bad(
                    "must be a list with the program first, but is " + command.kind(),
                    "Write [program, argument, \"{input}\"]; no shell is between Longhaul and the program");
        }
        var items = command.items();
        if (items.isEmpty() || items.getFirst().isList()) {
            throw command.bad("names no program", "Begin the list with one");
        }
        return items;
    }

    private CommandEntry.Arguments arguments(Entry item) {
        var templates = (item.isList() ? item.items() : List.of(item))
                .stream().map(this::argument).toList();
        return new CommandEntry.Arguments(
                templates.stream().map(this::forShell).toList(),
                templates.stream().anyMatch(this::canBeMissing));
    }

    private boolean canBeMissing(Template template) {
        return !always.containsAll(template.slots());
    }

    private String forShell(Template template) {
        return template.onlySlot()
                .filter(this::isList)
                .map(slot -> "{" + slot + "...}")
                .orElseGet(template::forShell);
    }

    private Template argument(Entry entry) {
        var template = template(entry);
        for (var slot : template.slots()) {
            if (isList(slot) && template.onlySlot().isEmpty()) {
                throw entry.bad(
                        "puts the list {" + slot + "} inside an argument",
                        "Make \"{" + slot + "}\" an argument of its own: each item becomes one argument");
            }
        }
        return template;
    }

    /** A template all of whose places are known. */
    Template template(Entry entry) {
        var template = Template.parse(entry.text());
        for (var slot : template.slots()) {
            if (!known.contains(slot)) {
                throw entry.bad(
                        "{" + slot + "} is no input of this tool",
                        (known.isEmpty() ? "It has no inputs." : Nearest.advice(slot, known)) + " Write {{" + slot
                                + "}} where the braces are meant as such");
            }
        }
        return template;
    }

    private boolean isList(String slot) {
        return "array".equals(schema.path("properties").path(slot).path("type").asString(""));
    }

    private static String checkedProgram(Entry program) {
        var text = program.text();
        if (!Template.parse(text).slots().isEmpty()) {
            throw program.bad(
                    "lets the caller choose the program", "Name the program itself, and use inputs behind it");
        }
        if (text.isBlank() || text.startsWith("-")) {
            throw program.bad(Entry.quote(text) + " is no program", "Name one, or its path");
        }
        return text;
    }

    /** A value inside of a script would be run as code of the caller's. */
    private static void checkScripts(List<Entry> items) {
        var flat = items.stream()
                .flatMap(item -> item.isList() ? item.items().stream() : Stream.of(item))
                .toList();
        Scripts.placeIn(flat.stream().map(Entry::text).toList()).ifPresent(place -> checkScript(flat.get(place)));
    }

    private static void checkScript(Entry script) {
        if (!Template.parse(script.text()).slots().isEmpty()) {
            throw script.bad(
                    "puts an input into a script, where the caller could write code",
                    "Use \"$1\" in the script, and give the input as an argument behind it:"
                            + " [sh, -c, 'echo \"$1\"', sh, \"{input}\"]");
        }
    }

    private static Map<String, String> environment(@Nullable Entry environment) {
        var all = new LinkedHashMap<String, String>();
        if (environment != null) {
            environment.fields().forEach((name, value) -> {
                all.put(variable(name, value), value.text());
                if (!Template.parse(value.text()).slots().isEmpty()) {
                    throw value.bad(
                            "has a placeholder, which only arguments can have", "Give it to the command instead");
                }
            });
        }
        return all;
    }

    private static List<String> inherited(@Nullable Entry inherited) {
        return inherited == null
                ? List.of()
                : inherited.items().stream()
                        .map(item -> variable(item.text(), item))
                        .toList();
    }

    private static String variable(String name, Entry at) {
        if (!VARIABLE.matcher(name).matches() || name.startsWith("LONGHAUL_")) {
            throw at.bad(
                    Entry.quote(name) + " cannot be the name of a variable",
                    "Use letters, digits and _, and do not begin with LONGHAUL_");
        }
        return name;
    }

    private static boolean dashesAllowed(@Nullable Entry dashes) {
        if (dashes != null && !dashes.text().equals("allowed")) {
            throw dashes.bad(
                    Entry.quote(dashes.text()) + " says nothing of values that begin with a dash",
                    "Write allowed, or leave it out: such a value is then refused where it could become an option");
        }
        return dashes != null;
    }

    private static Path folder(@Nullable Entry folder, Path base) {
        if (folder == null) {
            return base;
        }
        var text = folder.text();
        if (text.equals("~") || text.startsWith("~/")) {
            text = System.getProperty("user.home") + text.substring(1);
        }
        var path = base.resolve(text).normalize();
        if (!Files.isDirectory(path)) {
            throw folder.bad(
                    path + " is no folder", "Name one that is there; it is counted from the folder of this file");
        }
        return path;
    }
}
