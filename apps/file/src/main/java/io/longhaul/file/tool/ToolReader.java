// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.tool;

import io.longhaul.engine.TaskLimits;
import io.longhaul.file.settings.Limit;
import io.longhaul.file.settings.Limits;
import io.longhaul.file.text.SimilarWord;
import io.longhaul.file.tool.ToolEntry.Durable;
import io.longhaul.file.tool.ToolEntry.Label;
import io.longhaul.file.tool.ToolEntry.Output;
import io.longhaul.file.tool.ToolEntry.Plain;
import io.longhaul.file.tool.ToolEntry.Running;
import io.longhaul.file.tool.ToolEntry.Schemas;
import io.longhaul.file.tool.ToolEntry.Taken;
import io.longhaul.file.tool.ToolEntry.Waiting;
import io.longhaul.file.tree.Binder;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.YamlTree;
import io.longhaul.file.value.Conditions;
import io.longhaul.file.value.InputReader;
import io.longhaul.file.value.Placeholders;
import io.longhaul.file.value.SchemaMistakes;
import io.longhaul.file.work.CommandEntry;
import io.longhaul.file.work.CommandReader;
import io.longhaul.file.work.HttpReader;
import io.longhaul.file.work.WorkEntry;
import io.longhaul.file.work.WorkflowReader;
import io.longhaul.receiver.Rounds;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads one tool. */
public final class ToolReader {
    /** The kinds of work that a tool can run in place of a command. */
    private static final List<String> WORKS = List.of("workflow", "http");

    private static final Set<String> GROUPS = Set.of("percent", "current", "total", "message");

    private final Binder in;
    private final FileFields file;
    private final String at;
    private final TaskLimits limits;

    private ToolReader(Binder in, String at, TaskLimits limits) {
        this.in = in;
        this.file = in.file();
        this.at = at;
        this.limits = limits;
    }

    /**
     * Reads the tool at {@code at}; empty where there is none.
     *
     * @param key the name, where the file has it outside of the tool, else null
     * @param limits of its tasks
     */
    public static Optional<ToolEntry> read(Binder in, String at, @Nullable String key, Limits limits) {
        var file = in.file();
        if (!file.has(at)) {
            return Optional.empty();
        }
        var name = file.text(at + "/name");
        if (key == null && name == null && !file.isTakenOut(at + "/name")) {
            file.wrong(at, "the tool has no name", "Add name: to it");
        }
        if (key != null && name != null) {
            file.wrong(at + "/name", "is a second name beside " + FileFields.quote(key), "Remove it");
        }
        return Optional.of(
                new ToolReader(in, at, limits.tasks()).tool(key != null ? key : file.text(at + "/name", "")));
    }

    private ToolEntry tool(String name) {
        var schema = inputSchema();
        var output = in.read(at, "tool", Output.class);
        var result = output.taken().isJson() ? schema("output", "outputSchema") : null;
        checkOutput(output, result);
        var places =
                new Placeholders(file, schema, file.isTakenOut(at + "/input") || file.isTakenOut(at + "/inputSchema"));
        var immediate = file.text(at + "/immediate");
        var plain = new Plain(
                in.read(at, "tool", Waiting.class),
                immediate == null ? null : places.template(at + "/immediate", immediate),
                longWhen(schema));
        var asked = new QuestionsReader(in, at);
        var questions = asked.read(places, schema);
        var mentioned = places.takeUsed();
        var work = work(name, places);
        var inWork = places.takeUsed();
        if (!file.mistakes().isIncompleteBelow(at)) {
            asked.refuseUnused(questions, inWork);
        }
        places.use(mentioned);
        places.use(inWork);
        var field = WORKS.stream().filter(this::isThere).findFirst().orElse("command");
        boolean isElsewhere = work instanceof CommandEntry command && command.isScript();
        for (var unused : isElsewhere || file.isTakenOut(at + "/" + field) ? Set.<String>of() : places.unused()) {
            var named = YamlTree.below(file.has(at + "/input") ? at + "/input" : at + "/inputSchema", unused);
            var place = file.has(named + "?") ? named + "?" : named;
            var problem = "reaches no " + (field.equals("http") ? "request" : field) + ": {" + unused + "} is nowhere";
            file.warn(place, problem, "Use it in " + field + ", or remove it");
        }
        return new ToolEntry(label(name), new Schemas(schema, result), work, running(plain), output, questions);
    }

    private WorkEntry work(String name, Placeholders places) {
        if (isThere("workflow")) {
            return new WorkflowReader(in, at, places).read();
        }
        return isThere("http") ? new HttpReader(in, at, places).read(name) : new CommandReader(in, at, places).read();
    }

    private boolean isThere(String field) {
        return file.has(at + "/" + field) || file.isTakenOut(at + "/" + field);
    }

    private Label label(String name) {
        file.places(at + "/formerly")
                .filter(place -> file.has("/tools/" + String.valueOf(file.text(place))))
                .forEach(place ->
                        file.wrong(place, "is the name of a tool of this file", "Name only tools that are no more"));
        return in.read(at, name, "tool", Label.class);
    }

    private ObjectNode inputSchema() {
        var schema = schema("input", "inputSchema");
        if (schema == null) {
            schema = JsonNodeFactory.instance.objectNode().put("type", "object");
        }
        return file.has(at + "/inputSchema") ? schema : schema.put("additionalProperties", false);
    }

    /** The schema of an object: whole, or of the short forms of its fields; null where the file has neither. */
    private @Nullable ObjectNode schema(String fields, String whole) {
        var place = at + "/" + whole;
        if (file.has(place)) {
            file.apart(place, "Keep one of the two", at, fields);
            SchemaMistakes.whole(place, file);
            return (ObjectNode) file.node(place);
        }
        return file.has(at + "/" + fields) ? new InputReader(file, true).read(at + "/" + fields) : null;
    }

    /** Which calls are long, as JSON Schema of their arguments. */
    private @Nullable ObjectNode longWhen(ObjectNode inputs) {
        var place = at + "/longWhen";
        if (!file.has(place)) {
            return null;
        }
        var others = Stream.of("quick", "taskOnly", "elicit", "approve")
                .filter(field -> !file.node(at + "/" + field).equals(BooleanNode.FALSE));
        var fix = "Keep one of the two: some calls of the tool are answered at once";
        file.apart(place, fix, at, others.toArray(String[]::new));
        boolean isOpen = file.isTakenOut(at + "/input") || file.isTakenOut(at + "/inputSchema");
        return new Conditions(file, inputs.path("properties"), isOpen)
                .read(place, "input of this tool", "The tool has no inputs.");
    }

    private Running running(Plain plain) {
        var durable = in.read(at, "tool", Durable.class);
        if (durable.quick()) {
            file.apart(at + "/quick", "Keep one of the two: a quick tool is never a task", at, "taskOnly");
            var fix = "Keep one of the two: a quick tool answers at once";
            file.apart(at + "/quick", fix, at, "elicit", "approve", "immediate", "resume", "suspendAfter");
        }
        checkKept(durable.keepFor());
        checkLife(plain.waiting().resume().life(), durable.keepFor());
        return new Running(durable, plain);
    }

    /** Refuses a resume token that outlives its task, or that is valid for longer than a week. */
    private void checkLife(@Nullable Duration life, @Nullable Duration kept) {
        var most = kept == null ? limits.longestRetention() : kept;
        boolean isWeek = most.compareTo(Rounds.LONGEST_LIFE) >= 0;
        if (life != null && life.compareTo(isWeek ? Rounds.LONGEST_LIFE : most) > 0) {
            var raise = kept == null ? "longestRetention in limits" : "keepFor";
            tooLong("/resume/for", isWeek ? Rounds.LONGEST_LIFE : most, isWeek ? "" : ", or raise " + raise);
        }
    }

    /** A server keeps a finished call exactly as long as its tool says, so a time above the limit is refused. */
    private void checkKept(@Nullable Duration keepFor) {
        var longest = limits.longestRetention();
        if (keepFor != null && keepFor.compareTo(longest) > 0) {
            tooLong("/keepFor", longest, ", or raise longestRetention in limits");
        }
    }

    private void tooLong(String field, Duration longest, String more) {
        var most = Limit.time(longest.toMillis());
        var problem = FileFields.quote(file.node(at + field).asString()) + " is longer than " + most;
        file.wrong(at + field, problem, "Write " + most + " or less" + more);
    }

    private void checkOutput(Output output, @Nullable ObjectNode schema) {
        if (output.maxBytes() != null && output.maxBytes() > Integer.MAX_VALUE) {
            file.wrong(at + "/maxOutput", "is more than 2GB", "Write a size below it");
        }
        if (file.has(at + "/sayPrefix") && !output.taken().speech().isInOutput()) {
            file.wrong(at + "/sayPrefix", "is of lines in the output", "Write say: stdout beside it");
        }
        file.places(at + "/progress").forEach(this::checkProgress);
        if (output.taken().isJson()) {
            checkJson(output.taken(), schema);
        } else if (!file.isTakenOut(at + "/result")) {
            Stream.of("output", "outputSchema")
                    .map(field -> at + "/" + field)
                    .filter(file::has)
                    .forEach(place -> file.wrong(place, "needs output that is JSON", "Write result: json beside it"));
        }
    }

    private void checkJson(Taken taken, @Nullable ObjectNode schema) {
        if ("output".equals(file.text(at + "/stderr"))) {
            var fix = "Leave it out: a line on standard error is no part of the JSON object";
            file.wrong(at + "/stderr", "output stands beside result: json", fix);
        }
        if (taken.raw()) {
            file.wrong(at + "/raw", "stands beside result: json", "Keep one of the two");
        }
        if (schema != null && file.flag(at + "/resume/always")) {
            var fix = "Leave out always: a part of the result is not what is promised of the whole";
            file.wrong(at + "/resume/always", "stands beside the schema of the result", fix);
        }
    }

    private void checkProgress(String place) {
        var regex = file.regex(place);
        if (regex == null) {
            return;
        }
        var groups = regex.namedGroups().keySet();
        for (var name : groups) {
            if (!GROUPS.contains(name)) {
                file.wrong(place, "group <" + name + "> says nothing of progress", SimilarWord.advice(name, GROUPS));
                return;
            }
        }
        if (!groups.contains("percent") && !groups.contains("current")) {
            file.wrong(
                    place,
                    "has no group that tells how far it is",
                    "Name one (?<percent>...), or (?<current>...) with (?<total>...) beside it");
        }
    }
}
