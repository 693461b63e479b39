// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.tool;

import io.longhaul.backend.shell.Retry;
import io.longhaul.engine.run.Template;
import io.longhaul.file.settings.Limit;
import io.longhaul.file.settings.Limits;
import io.longhaul.file.text.SimilarWord;
import io.longhaul.file.tool.ToolEntry.Durable;
import io.longhaul.file.tool.ToolEntry.Exits;
import io.longhaul.file.tool.ToolEntry.Label;
import io.longhaul.file.tool.ToolEntry.Output;
import io.longhaul.file.tool.ToolEntry.Plain;
import io.longhaul.file.tool.ToolEntry.Running;
import io.longhaul.file.tool.ToolEntry.Waiting;
import io.longhaul.file.tree.Binder;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.YamlTree;
import io.longhaul.file.value.InputReader;
import io.longhaul.file.value.Placeholders;
import io.longhaul.file.value.SchemaMistakes;
import io.longhaul.file.work.CommandReader;
import io.longhaul.file.work.HttpReader;
import io.longhaul.file.work.WorkEntry;
import io.longhaul.file.work.WorkflowReader;
import io.longhaul.receiver.Rounds;
import io.longhaul.server.Icon;
import io.longhaul.server.Icon.Theme;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads one tool. */
public final class ToolReader {
    /** The kinds of work that a tool can run in place of a command. */
    private static final List<String> WORKS = List.of("workflow", "http");

    private static final Set<String> GROUPS = Set.of("percent", "current", "total", "message");

    private final FileFields file;
    private final String at;
    private final Given given;
    private final Binder binder;

    private ToolReader(FileFields file, String at, Given given) {
        this.file = file;
        this.at = at;
        this.given = given;
        this.binder = Binder.of(file);
    }

    /**
     * The context of all tools of a file.
     *
     * @param base   the folder of relative paths
     * @param limits of their tasks
     */
    public record Given(Path base, Limits limits) {}

    /**
     * Reads the tool at {@code at}; empty where there is none.
     *
     * @param key the name, where the file has it outside of the tool, else null
     */
    public static Optional<ToolEntry> read(FileFields file, String at, @Nullable String key, Given given) {
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
        return Optional.of(new ToolReader(file, at, given).tool(key != null ? key : file.text(at + "/name", "")));
    }

    private ToolEntry tool(String name) {
        var schema = inputSchema();
        var places =
                new Placeholders(file, schema, file.isTakenOut(at + "/input") || file.isTakenOut(at + "/inputSchema"));
        var immediate = file.text(at + "/immediate");
        var plain = plain(immediate == null ? null : places.template(at + "/immediate", immediate), schema);
        var asked = new QuestionsReader(file, at);
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
        for (var unused : file.isTakenOut(at + "/" + field) ? Set.<String>of() : places.unused()) {
            var named = YamlTree.below(file.has(at + "/input") ? at + "/input" : at + "/inputSchema", unused);
            var place = file.has(named + "?") ? named + "?" : named;
            var problem = "reaches no " + (field.equals("http") ? "request" : field) + ": {" + unused + "} is nowhere";
            file.warn(place, problem, "Use it in " + field + ", or remove it");
        }
        return new ToolEntry(label(name), schema, work, running(plain), output(), questions);
    }

    private WorkEntry work(String name, Placeholders places) {
        if (isThere("workflow")) {
            return new WorkflowReader(file, at, places, given.base()).read();
        }
        return isThere("http")
                ? new HttpReader(file, at, places).read(name, given.base())
                : new CommandReader(file, at, places).read(given.base());
    }

    private boolean isThere(String field) {
        return file.has(at + "/" + field) || file.isTakenOut(at + "/" + field);
    }

    private Label label(String name) {
        var hints = new LinkedHashMap<String, Boolean>();
        for (var hint : file.node(at + "/hints").propertyNames()) {
            hints.put(hint, file.flag(at + "/hints/" + hint));
        }
        return new Label(
                new ToolEntry.Names(name, formerly()),
                file.text(at + "/title"),
                file.text(at + "/description"),
                file.texts(at + "/scopes"),
                hints,
                file.places(at + "/icons").map(this::icon).toList());
    }

    private List<String> formerly() {
        file.places(at + "/formerly")
                .filter(place -> file.has("/tools/" + String.valueOf(file.text(place))))
                .forEach(place ->
                        file.wrong(place, "is the name of a tool of this file", "Name only tools that are no more"));
        return file.texts(at + "/formerly");
    }

    private Icon icon(String place) {
        if (!file.node(place).isObject()) {
            return Icon.at(file.node(place).asString());
        }
        var theme = file.has(place + "/theme") ? file.choice(place + "/theme", Theme.LIGHT) : null;
        return new Icon(
                file.node(place + "/src").asString("data:"),
                file.text(place + "/mimeType"),
                file.texts(place + "/sizes"),
                theme);
    }

    private ObjectNode inputSchema() {
        var full = at + "/inputSchema";
        if (file.has(full)) {
            file.apart(full, "Keep one of the two", at, "input");
            SchemaMistakes.whole(full, file);
            return (ObjectNode) file.node(full);
        }
        var schema = file.has(at + "/input")
                ? new InputReader(file, true).read(at + "/input")
                : JsonNodeFactory.instance.objectNode().put("type", "object");
        return schema.put("additionalProperties", false);
    }

    private Running running(Plain plain) {
        var durable = binder.read(at, "tool", Durable.class);
        checkMode(durable);
        checkKept(durable.keepFor());
        checkLife(plain.waiting().resume().life(), durable.keepFor());
        return new Running(durable, plain);
    }

    private Plain plain(@Nullable Template immediate, ObjectNode inputs) {
        return new Plain(binder.read(at, "tool", Waiting.class), immediate, new LongWhenReader(file, at).read(inputs));
    }

    /** Refuses a resume token that outlives its task, or that is valid for longer than a week. */
    private void checkLife(@Nullable Duration life, @Nullable Duration kept) {
        var most = kept == null ? given.limits().tasks().longestRetention() : kept;
        boolean isWeek = most.compareTo(Rounds.LONGEST_LIFE) >= 0;
        if (life != null && life.compareTo(isWeek ? Rounds.LONGEST_LIFE : most) > 0) {
            var raise = kept == null ? "longestRetention in limits" : "keepFor";
            tooLong("/resume/for", isWeek ? Rounds.LONGEST_LIFE : most, isWeek ? "" : ", or raise " + raise);
        }
    }

    /** A server keeps a finished call exactly as long as its tool says, so a time above the limit is refused. */
    private void checkKept(@Nullable Duration keepFor) {
        var longest = given.limits().tasks().longestRetention();
        if (keepFor != null && keepFor.compareTo(longest) > 0) {
            tooLong("/keepFor", longest, ", or raise longestRetention in limits");
        }
    }

    private void tooLong(String field, Duration longest, String more) {
        var most = Limit.time(longest.toMillis());
        var problem = FileFields.quote(file.node(at + field).asString()) + " is longer than " + most;
        file.wrong(at + field, problem, "Write " + most + " or less" + more);
    }

    private void checkMode(Durable durable) {
        if (durable.quick() && durable.taskOnly()) {
            file.wrong(at + "/quick", "stands beside taskOnly", "Keep one of the two: a quick tool is never a task");
        }
        if (durable.quick()) {
            var fix = "Keep one of the two: a quick tool answers at once";
            file.apart(at + "/quick", fix, at, "elicit", "approve", "immediate", "resume");
        }
    }

    private Output output() {
        var bytes = file.size(at + "/maxOutput");
        if (bytes != null && bytes > Integer.MAX_VALUE) {
            file.wrong(at + "/maxOutput", "is more than 2GB", "Write a size below it");
        }
        file.places(at + "/progress").forEach(this::checkProgress);
        return new Output(
                file.texts(at + "/progress"),
                file.regex(at + "/partial"),
                bytes == null ? null : (int) Math.min(bytes, Integer.MAX_VALUE),
                new Exits(file.has(at + "/successCodes") ? codes(at + "/successCodes") : Set.of(0), retry()),
                new ResultReader(file, at).read());
    }

    private Set<Integer> codes(String place) {
        return file.places(place).map(file::number).collect(Collectors.toUnmodifiableSet());
    }

    private Retry retry() {
        var count = file.number(at + "/retry/count");
        var backoff = file.duration(at + "/retry/backoff");
        return count == null
                ? Retry.NEVER
                : new Retry(count, backoff == null ? Duration.ZERO : backoff, codes(at + "/retry/exitCodes"));
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
