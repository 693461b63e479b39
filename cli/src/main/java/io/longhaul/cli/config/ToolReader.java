package io.longhaul.cli.config;

import io.longhaul.cli.config.ToolEntry.Label;
import io.longhaul.cli.config.ToolEntry.Mode;
import io.longhaul.cli.config.ToolEntry.Output;
import io.longhaul.cli.config.ToolEntry.Plain;
import io.longhaul.cli.config.ToolEntry.Question;
import io.longhaul.cli.config.ToolEntry.Running;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.WhenAbandoned;
import io.longhaul.server.WhenRepeated;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads one tool. */
final class ToolReader {
    private static final Set<String> FIELDS = Set.of(
            "name",
            "title",
            "description",
            "input",
            "inputSchema",
            "command",
            "env",
            "cwd",
            "dashes",
            "timeout",
            "progress",
            "keepFor",
            "onCrash",
            "concurrency",
            "maxOutput",
            "elicit",
            "taskOnly",
            "quick",
            "scopes",
            "inherit",
            "partial",
            "hide",
            "hold",
            "whenAbandoned",
            "whenRepeated",
            "successCodes");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,128}");

    private final Map<String, Entry> fields;
    private final Given given;

    private ToolReader(Map<String, Entry> fields, Given given) {
        this.fields = fields;
        this.given = given;
    }

    /**
     * What the file says of all its tools.
     *
     * @param base   what paths are counted from
     * @param limits of their tasks
     */
    record Given(Path base, Limits limits) {}

    /** Reads a tool; {@code key} is its name where the file has it outside of the tool, else null. */
    static ToolEntry read(Entry entry, @Nullable String key, Given given) {
        var reader = new ToolReader(entry.fields(FIELDS), given);
        var inner = reader.fields.get("name");
        if (key == null && inner == null) {
            throw entry.bad("the tool has no name", "Add name: to it");
        }
        if (key != null && inner != null) {
            throw inner.bad("is a second name beside " + Entry.quote(key), "Remove it");
        }
        if (!reader.fields.containsKey("command")) {
            throw entry.bad("the tool has no command", "Add command: [program, argument, ...] to it");
        }
        return reader.tool(inner == null ? name(entry, Objects.requireNonNull(key)) : name(inner, inner.text()));
    }

    static String name(Entry entry, String name) {
        if (!NAME.matcher(name).matches()) {
            throw entry.bad(Entry.quote(name) + " cannot be a name", "Use up to 128 letters, digits, dots, _ and -");
        }
        return name;
    }

    private ToolEntry tool(String name) {
        var schema = inputSchema();
        var known = new LinkedHashSet<String>();
        var always = new LinkedHashSet<String>();
        collect("", schema, known, always);
        var questions = questions(new CommandReader(Set.copyOf(known), Set.copyOf(always), schema));
        questions.stream()
                .filter(question -> !question.after())
                .forEach(question -> collect(question.key() + ".", question.schema(), known, always));
        var command = new CommandReader(known, always, schema).read(fields, given.base());
        var label = new Label(name, text("title"), text("description"), scopes());
        return new ToolEntry(label, schema, command, running(), output(), questions);
    }

    /** The names of all properties, and of those that always have a value. */
    private static void collect(String prefix, ObjectNode schema, Set<String> known, Set<String> always) {
        schema.path("properties").properties().forEach(property -> {
            known.add(prefix + property.getKey());
            if (property.getValue().has("default")) {
                always.add(prefix + property.getKey());
            }
        });
        schema.path("required").forEach(name -> always.add(prefix + name.asString("")));
    }

    private ObjectNode inputSchema() {
        var input = fields.get("input");
        var full = fields.get("inputSchema");
        if (input != null && full != null) {
            throw full.bad("stands beside input", "Keep one of the two");
        }
        if (full != null) {
            return fullSchema(full);
        }
        var schema = input == null
                ? JsonNodeFactory.instance.objectNode().put("type", "object")
                : InputReader.read(input, true);
        return schema.put("additionalProperties", false);
    }

    private static ObjectNode fullSchema(Entry full) {
        if (!full.isMapping()) {
            throw full.bad("must be a JSON Schema, but is " + full.kind(), "Write type: object and properties:");
        }
        var type = full.fields().get("type");
        if (type == null || !type.json().asString("").equals("object")) {
            throw (type == null ? full : type).bad("must have type: object", "Tools take an object of arguments");
        }
        SchemaCheck.check(full);
        SchemaReferences.check(full);
        return (ObjectNode) full.json();
    }

    private List<Question> questions(CommandReader templates) {
        var ask = fields.get("elicit");
        if (ask == null) {
            return List.of();
        }
        var questions = new ArrayList<Question>();
        for (var entry : ask.isList() ? ask.items() : List.of(ask)) {
            var parts = entry.fields(Set.of("key", "message", "fields", "after"));
            for (var needed : List.of("message", "fields")) {
                if (!parts.containsKey(needed)) {
                    throw entry.bad("the question has no " + needed, "Add " + needed + ": to it");
                }
            }
            var key = parts.containsKey("key")
                    ? name(parts.get("key"), parts.get("key").text())
                    : "question" + (questions.size() + 1);
            if (key.contains(".")
                    || questions.stream().anyMatch(other -> other.key().equals(key))) {
                throw entry.bad(Entry.quote(key) + " cannot be its key", "Choose one without a dot that no other has");
            }
            var message = templates.template(parts.get("message"));
            boolean after = parts.containsKey("after") && parts.get("after").bool();
            questions.add(new Question(key, message, InputReader.read(parts.get("fields"), false), after));
        }
        return questions;
    }

    private Running running() {
        var concurrency = fields.get("concurrency");
        return new Running(
                mode(),
                crashPolicy(),
                duration("timeout"),
                keep(),
                concurrency == null ? Integer.MAX_VALUE : concurrency.positive(),
                new Plain(
                        duration("hold"),
                        oneOf("whenAbandoned", WhenAbandoned.KEEP, "keep (the job goes on) or cancel"),
                        oneOf("whenRepeated", WhenRepeated.JOIN, "join (the job of the first call) or run")));
    }

    private <E extends Enum<E>> E oneOf(String name, E unsaid, String remedy) {
        var entry = fields.get(name);
        return entry == null ? unsaid : entry.oneOf(unsaid.getDeclaringClass(), remedy);
    }

    private Mode mode() {
        var taskOnly = fields.get("taskOnly");
        var quick = fields.get("quick");
        boolean isTaskOnly = taskOnly != null && taskOnly.bool();
        if (quick == null || !quick.bool()) {
            return isTaskOnly ? Mode.TASK_ONLY : Mode.LONG;
        }
        if (isTaskOnly) {
            throw quick.bad("stands beside taskOnly", "Keep one of the two: a quick tool is never a task");
        }
        if (fields.containsKey("elicit")) {
            throw quick.bad("stands beside elicit", "Keep one of the two: a quick tool answers at once");
        }
        return Mode.QUICK;
    }

    private CrashPolicy crashPolicy() {
        var entry = fields.get("onCrash");
        if (entry == null) {
            return CrashPolicy.REATTACH;
        }
        return switch (entry.text()) {
            case "fail" -> CrashPolicy.FAIL;
            case "restart" -> CrashPolicy.RESTART;
            case "reattach" -> CrashPolicy.REATTACH;
            default ->
                throw entry.bad(
                        Entry.quote(entry.text()) + " is no way to go on after a crash",
                        "Write reattach (find the job again), restart (run it again) or fail");
        };
    }

    private Output output() {
        var partial = fields.get("partial");
        return new Output(
                progress(), partial == null ? null : partial.regex(), maxOutput(), text("hide"), successCodes());
    }

    private Set<Integer> successCodes() {
        var entry = fields.get("successCodes");
        if (entry == null) {
            return Set.of(0);
        }
        return entry.items().stream().map(ToolReader::exitCode).collect(Collectors.toSet());
    }

    private static int exitCode(Entry entry) {
        var json = entry.json();
        if (!json.isInt() || json.intValue() < 0 || json.intValue() > 255) {
            throw entry.bad(entry.kind() + " is no exit code", "Write numbers from 0 to 255");
        }
        return json.intValue();
    }

    private @Nullable Integer maxOutput() {
        var entry = fields.get("maxOutput");
        if (entry == null) {
            return null;
        }
        var bytes = Sizes.parse(entry.text());
        if (bytes.isPresent() && bytes.getAsLong() <= Integer.MAX_VALUE) {
            return (int) bytes.getAsLong();
        }
        throw entry.bad(Entry.quote(entry.text()) + " is no size", Sizes.ADVICE);
    }

    private List<String> progress() {
        var entry = fields.get("progress");
        if (entry == null) {
            return List.of();
        }
        return (entry.isList() ? entry.items() : List.of(entry))
                .stream().map(ToolReader::progressPattern).toList();
    }

    private static String progressPattern(Entry entry) {
        var pattern = entry.regex();
        var known = Set.of("percent", "current", "total", "message");
        for (var name : pattern.namedGroups().keySet()) {
            if (!known.contains(name)) {
                throw entry.bad("group <" + name + "> says nothing of progress", Nearest.advice(name, known));
            }
        }
        if (!pattern.namedGroups().containsKey("percent")
                && !pattern.namedGroups().containsKey("current")) {
            throw entry.bad(
                    "has no group that tells how far it is",
                    "Name one (?<percent>...), or (?<current>...) with (?<total>...) beside it");
        }
        return pattern.pattern();
    }

    /** A server keeps to it to the letter, so that it is refused here where the server could not. */
    private @Nullable Duration keep() {
        var keep = duration("keepFor");
        var longest = given.limits().tasks().longestRetention();
        if (keep != null && keep.compareTo(longest) > 0) {
            var entry = fields.get("keepFor");
            String most = Limit.time(longest.toMillis());
            throw entry.bad(Entry.quote(entry.text()) + " is longer than " + most, "Write " + most + " or less");
        }
        return keep;
    }

    private @Nullable Duration duration(String name) {
        var entry = fields.get(name);
        return entry == null ? null : entry.duration();
    }

    private List<String> scopes() {
        var entry = fields.get("scopes");
        return entry == null
                ? List.of()
                : entry.items().stream().map(Entry::text).toList();
    }

    private @Nullable String text(String name) {
        var entry = fields.get(name);
        return entry == null ? null : entry.text();
    }
}
