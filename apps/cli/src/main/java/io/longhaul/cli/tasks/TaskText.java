// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.tasks;

import static io.longhaul.cli.text.Table.left;
import static io.longhaul.cli.text.Table.right;

import io.longhaul.cli.answer.QuestionFields;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.ProgressLine;
import io.longhaul.cli.text.SafeText;
import io.longhaul.cli.text.Table;
import io.longhaul.cli.text.Table.Column;
import io.longhaul.file.text.EnumWords;
import io.longhaul.protocol.call.TaskRecord;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/** A task in words and as JSON. */
public final class TaskText {
    public static final Set<State> ENDED = EnumSet.of(State.COMPLETED, State.FAILED, State.CANCELLED, State.DECLINED);
    static final Set<State> LIVE = EnumSet.complementOf(EnumSet.copyOf(ENDED));

    private static final Column<TaskRecord> ID =
            left("ID", 36, task -> SafeText.line(task.task().id()));
    private static final Column<TaskRecord> STATE = left("STATE", 14, task -> state(task.task()));
    private static final Column<TaskRecord> TOOL = left("TOOL", 16, task -> SafeText.line(task.tool()));
    private static final Column<TaskRecord> CREATED = left("CREATED", 0, task -> told(task, TaskView.Times::createdAt));
    private static final Column<TaskRecord> PROGRESS = left("PROGRESS", 0, task -> news(task.task()));

    /** Tasks with all columns. */
    static final Table<TaskRecord> WIDE = Table.of(
            ID,
            STATE,
            TOOL,
            left("OWNER", 16, task -> SafeText.line(task.owner())),
            right("ATTEMPTS", 8, TaskText::attempts),
            right("QUESTIONS", 9, task -> String.valueOf(task.questions())),
            left("CREATED", 20, CREATED.cell()),
            left("CHANGED", 20, task -> told(task, TaskView.Times::updatedAt)),
            PROGRESS);

    /** The most columns of a progress message. */
    private static final int WIDEST = 200;

    private TaskText() {}

    /** A task of a server without the extension {@code io.longhaul/tasks}, which tells its view alone. */
    static TaskRecord unrecorded(TaskView task) {
        return new TaskRecord(task, "", "", 0, task.inputs().size(), null);
    }

    private static boolean isRecorded(TaskRecord task) {
        return !task.tool().isEmpty();
    }

    private static String attempts(TaskRecord task) {
        return isRecorded(task) ? String.valueOf(task.attempts()) : "";
    }

    /**
     * The state in words. A call that is complete with an error of its tool has failed to a person, not to MCP; the
     * result of one that a person declined says so in each generation that tells it.
     */
    public static String state(TaskView task) {
        if (task.end() instanceof TaskView.End.Result result
                && result.isError()
                && JsonText.tree(result.result())
                        .path(Meta.META)
                        .path(Meta.DECLINED)
                        .asBoolean(false)) {
            return EnumWords.of(State.DECLINED);
        }
        return hasToolFailed(task)
                ? "failed (tool)"
                : EnumWords.of(task.status().state());
    }

    static boolean hasToolFailed(TaskView task) {
        return task.status().state() == State.COMPLETED
                && task.end() instanceof TaskView.End.Result result
                && result.isError();
    }

    /** A line for each task: the id, the state, the tool where it is known, the time of creation, and the progress. */
    static List<String> rows(List<TaskRecord> tasks) {
        boolean hasTools = tasks.stream().anyMatch(TaskText::isRecorded);
        return (hasTools ? Table.of(ID, STATE, TOOL, CREATED, PROGRESS) : Table.of(ID, STATE, CREATED, PROGRESS))
                .rows(tasks);
    }

    /** One of the times of a task; empty where its generation does not tell it. */
    private static String told(TaskRecord task, Function<TaskView.Times, Instant> which) {
        var times = task.task().times();
        return isTold(times) ? time(which.apply(times)) : "";
    }

    /** The progress of a task, or how it ended where its state does not tell that. */
    public static String news(TaskView task) {
        return switch (task.end()) {
            case TaskView.End.Result result -> "";
            case TaskView.End.Failure failure -> SafeText.line(failure.error().message());
            case TaskView.End.Broken broken -> SafeText.line(broken.reason());
            case null, default -> progress(task);
        };
    }

    /** The progress of a task, in the words of its tool. */
    public static String progress(TaskView task) {
        var progress = task.status().progress();
        var message = progress != null && progress.message() != null
                ? progress.message()
                : task.status().message();
        return SafeText.fit(ProgressLine.plain(progress, message == null ? "" : lastLine(message)), WIDEST);
    }

    /** The last line with text: the message of a cancelled task has its output so far. */
    private static String lastLine(String message) {
        return message.lines().filter(line -> !line.isBlank()).reduce("", (before, line) -> line);
    }

    private static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** All known details, line by line. */
    static List<String> details(TaskRecord record) {
        var task = record.task();
        var times = task.times();
        var lines = new ArrayList<String>();
        add(lines, "task", SafeText.line(task.id()));
        add(lines, "state", state(task));
        add(lines, "tool", SafeText.line(record.tool()));
        add(lines, "owner", SafeText.line(record.owner()));
        add(lines, "attempts", attempts(record));
        add(lines, "called", called(record));
        var parent = task.status().parent();
        add(lines, "parent", parent == null ? "" : SafeText.line(parent));
        add(lines, "created", isTold(times) ? time(times.createdAt()) : "");
        add(lines, "changed", isTold(times) ? time(times.updatedAt()) : "");
        add(lines, "kept", kept(times));
        add(lines, "progress", progress(task));
        lines.addAll(questions(task));
        add(lines, "ended", ending(task));
        return lines;
    }

    private static void add(List<String> lines, String name, String words) {
        if (!words.isEmpty()) {
            lines.add(detail(name, words));
        }
    }

    /** A line for a detail of a task. */
    public static String detail(String name, String words) {
        return "%-8s  %s".formatted(name, words);
    }

    /** The arguments of the call; empty where the server does not tell them. */
    public static String called(TaskRecord record) {
        return record.arguments() == null ? "" : SafeText.line(JsonText.line(JsonText.tree(record.arguments())));
    }

    /** The open questions with their fields, line by line. */
    public static List<String> questions(TaskView task) {
        var lines = new ArrayList<String>();
        task.inputs().forEach((key, question) -> {
            var params = JsonText.tree(question.params());
            var asked = SafeText.line(params.path("message").asString(question.method()));
            lines.add(detail("asks", SafeText.line(key) + ": " + asked));
            QuestionFields.lines(params).forEach(field -> lines.add(detail("", field)));
        });
        return lines;
    }

    /** How a task has ended; empty while it is live. */
    public static String ending(TaskView task) {
        return switch (task.end()) {
            case null -> "";
            case TaskView.End.Result result -> result.isError() ? state(task) : "success";
            case TaskView.End.Failure failure -> SafeText.line(failure.error().message());
            case TaskView.End.Cancelled cancelled -> "cancelled";
            case TaskView.End.Broken broken -> SafeText.line(broken.reason());
        };
    }

    /** Some generations do not tell when a task was created. */
    private static boolean isTold(TaskView.Times times) {
        return !times.createdAt().equals(Instant.EPOCH);
    }

    public static String kept(TaskView.Times times) {
        if (times.ttl() != null) {
            return "until " + time(times.createdAt().plus(times.ttl()));
        }
        return times.keepAlive() == null
                ? "not known yet"
                : "for " + times.keepAlive().toSeconds() + " s after its end";
    }

    static ObjectNode json(TaskRecord record) {
        var task = record.task();
        var json = JsonText.object().put("id", task.id()).put("state", state(task));
        if (isRecorded(record)) {
            json.put("tool", record.tool()).put("owner", record.owner()).put("attempts", record.attempts());
            json.put("questions", record.questions());
            JsonText.add(json, "arguments", record.arguments());
        }
        JsonText.add(json, "parent", task.status().parent());
        JsonText.add(json, "message", task.status().message());
        var progress = task.status().progress();
        if (progress != null) {
            var at = json.putObject("progress").put("current", progress.current());
            JsonText.add(at, "total", progress.total());
            JsonText.add(at, "message", progress.message());
        }
        if (isTold(task.times())) {
            json.put("createdAt", task.times().createdAt().toString());
            json.put("updatedAt", task.times().updatedAt().toString());
        }
        JsonText.add(json, "ttlMs", task.times().ttl());
        JsonText.add(json, "keepAliveMs", task.times().keepAlive());
        if (!task.inputs().isEmpty()) {
            var inputs = json.putObject("inputs");
            task.inputs()
                    .forEach((key, question) -> inputs.putObject(key)
                            .put("method", question.method())
                            .set("params", JsonText.tree(question.params())));
        }
        end(json, task);
        return json;
    }

    private static void end(ObjectNode json, TaskView task) {
        switch (task.end()) {
            case null -> {}
            case TaskView.End.Result result -> {
                json.put("isError", result.isError());
                if (!result.result().equals(Json.EMPTY_OBJECT)) {
                    json.set("result", JsonText.tree(result.result()));
                }
            }
            case TaskView.End.Failure failure ->
                json.putObject("error")
                        .put("code", failure.error().code())
                        .put("message", failure.error().message());
            case TaskView.End.Cancelled cancelled -> json.put("cancelled", true);
            case TaskView.End.Broken broken -> json.put("reason", broken.reason());
        }
    }
}
