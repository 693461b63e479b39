// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.run.MessageText;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonMembers;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.PlainHosts.Verb;
import io.longhaul.receiver.question.QuestionKinds;
import io.longhaul.receiver.task.TaskViews;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes results for a model that tell the state of a task, and what to do next. Thread-safe. */
record HandOverTexts(Context context, CompanionTools tools) {

    private static final int LINES = 5;
    private static final int LINE_LENGTH = 400;

    /** The most events that are searched for the last lines of output. */
    private static final int LOOKED_AT = 100;

    private static final String YES_OR_NO =
            " and \"reply\":\"accept\" if your user approves," + " \"reply\":\"decline\" if your user does not.";

    private static final String FIELDS = " and the answers as \"content\", an object with these fields. If your user"
            + " refuses, pass \"reply\":\"decline\" and no content.";

    private static final Duration DAY = Duration.ofDays(1);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    /**
     * @param isStructured whether the called tool promises structured content
     * @param isJoined     whether an earlier call began the task
     */
    Json running(Task task, boolean isStructured, boolean isJoined) {
        var view = TaskViews.of(context).of(task);
        String tool = task.spec().work();
        var text = new StringBuilder(
                        isJoined ? "This is the call of " + time(task.spec().createdAt()) + ": " : "")
                .append(tool)
                .append(task.state() == TaskState.SUBMITTED ? " waits for its turn" : " is still running")
                .append(", and nothing is lost");
        String where =
                MessageWriter.sentence(view.status().progress(), view.status().message());
        text.append(where == null ? "." : " (" + where + ").");
        var lines = lastLines(task);
        if (!lines.isEmpty()) {
            text.append(" Its last output:\n").append(String.join("\n", lines)).append("\n");
        }
        text.append(" This is not the result. To get the result, call ")
                .append(tools.how(Verb.WAIT, task.id().value()))
                .append(" now. Do not call ")
                .append(tool)
                .append(" again for this.");
        var structured = isStructured ? RunningSchema.content(view, "working", where) : null;
        return result(text.toString(), structured);
    }

    /** Tells that the task asks a question which only a person can answer, and which the host cannot show. */
    Json asks(Task task, boolean isStructured) {
        var view = TaskViews.of(context).of(task);
        var text = new StringBuilder(task.spec().work() + " is not done yet: it asks your user.");
        view.inputs().forEach((key, question) -> text.append("\n\n").append(question(key, question, view.inputs())));
        text.append("\n\nAsk your user, then call ")
                .append(tools.how(Verb.ANSWER, task.id().value()));
        boolean isYesOrNo = view.inputs().values().stream().allMatch(QuestionKinds::isYesOrNo);
        text.append(isYesOrNo ? YES_OR_NO : FIELDS).append(" Never make up an answer. After that, get the result by ");
        text.append(tools.how(Verb.WAIT, task.id().value())).append('.');
        var structured = isStructured ? RunningSchema.content(view, "input_required", null) : null;
        return result(text.toString(), structured);
    }

    /** The result of an earlier call, with a note that says so. */
    Json joined(Task task, Json result) {
        String note = "This is the result of the same call of "
                + time(task.spec().createdAt()) + ", which had not reached you. Nothing was run a second time.";
        var members = JsonReader.members(result);
        var out = JsonWriter.object(result.size() + 256);
        out.membersBut(Set.of("content"), members).name("content").beginArray();
        elements(members, "content").forEach(out::raw);
        JsonReader.elements(MessageWriter.content(note)).forEach(out::raw);
        return out.endArray().end();
    }

    Json unknown(String id) {
        return error("There is no task " + id + ": its id is not right, or its time is over. " + tools.name(Verb.LIST)
                + " shows the tasks that are there.");
    }

    Json asksNothing(Task task) {
        String next = task.state().isTerminal() ? " The task has ended: get the result by " : " Go on with ";
        return error("The task asks nothing now." + next
                + tools.how(Verb.WAIT, task.id().value()) + ".");
    }

    /** @param keys of the questions */
    Json whichQuestion(List<String> keys) {
        return error("The task asks more than one question: pass the name of one as \"question\", which is one of "
                + String.join(", ", keys) + ".");
    }

    Json noAnswer(String problem) {
        return error("This is no answer to the question: " + problem + ". The question is still open.");
    }

    Json answered(Task task) {
        return text("The task has the answer, and goes on. Get the result by "
                + tools.how(Verb.WAIT, task.id().value()) + ".");
    }

    /** @param cancelled the task as it is now */
    Json cancelled(Task task, TaskView cancelled) {
        return text(below(cancelled, task.spec().work() + " is cancelled."));
    }

    Json cancelledBefore(Task task) {
        var view = TaskViews.of(context).of(task);
        return error(below(view, "The task was cancelled: there is no result."));
    }

    /** The sentence with the last state of a cancelled task's work below it, where that is known. */
    private static String below(TaskView task, String sentence) {
        return task.end() instanceof TaskView.End.Cancelled cancelled ? cancelled.below(sentence) : sentence;
    }

    Json endedBefore(Task task) {
        return text(task.spec().work() + " had ended before, and was not cancelled. Get the result by "
                + tools.how(Verb.WAIT, task.id().value()) + ".");
    }

    Json list(List<Task> tasks) {
        if (tasks.isEmpty()) {
            return text("No task is running, and every result was received.");
        }
        return text(tasks.stream().map(this::line).collect(Collectors.joining("\n")) + "\n\nGet a result by "
                + tools.name(Verb.WAIT) + ".");
    }

    Json notListed() {
        return error("This server cannot tell you from other callers, so that it lists no tasks: the id of a task,"
                + " from the answer that named the task, is the only key.");
    }

    Json error(String text) {
        return MessageWriter.errorResult(text);
    }

    private String line(Task task) {
        var view = TaskViews.of(context).of(task);
        String where =
                MessageWriter.sentence(view.status().progress(), view.status().message());
        String state = switch (task.state()) {
            case SUBMITTED -> "waits for its turn";
            case WORKING -> "running";
            case INPUT_REQUIRED -> "asks a question";
            case COMPLETED -> "has a result";
            case FAILED -> "failed";
            case CANCELLED -> "cancelled";
        };
        return "- " + task.id() + ": " + task.spec().work() + ", called "
                + time(task.spec().createdAt()) + ", " + state + (where == null ? "" : " (" + where + ")");
    }

    private String time(Instant at) {
        boolean isRecent = Duration.between(at, context.now()).compareTo(DAY) < 0;
        return (isRecent ? TIME : DATE).format(at);
    }

    private List<String> lastLines(Task task) {
        long last = Math.max(task.position().lastOutput(), task.position().lastLog());
        long from = Math.max(0, task.position().lastEvent() - LOOKED_AT);
        if (last <= from) {
            return List.of();
        }
        var lines = new ArrayList<String>();
        context.history(task, from).forEach(event -> {
            Json piece = switch (event.what()) {
                case EventDetail.Emitted(var output) -> Json.raw(output.bytes());
                case EventDetail.Logged logged ->
                    isForModels(logged) ? Json.raw(logged.data().bytes()) : null;
                default -> null;
            };
            if (piece != null) {
                JsonReader.shown(piece).lines().filter(line -> !line.isBlank()).forEach(lines::add);
            }
        });
        return lines.subList(Math.max(0, lines.size() - LINES), lines.size()).stream()
                .map(line -> MessageText.cut(line, LINE_LENGTH))
                .toList();
    }

    /** Debug lines are for developers: a model could take the id of a job outside for the id of its task. */
    private static boolean isForModels(EventDetail.Logged logged) {
        return !logged.level().equals("debug");
    }

    private static String question(String key, Question question, Map<String, Question> all) {
        var params = JsonReader.members(question.params());
        var text = new StringBuilder(all.size() > 1 ? "Question " + key + ": " : "Question: ")
                .append(Objects.requireNonNullElse(params.text("message"), ""));
        var schema = params.object("requestedSchema");
        var required =
                elements(schema, "required").stream().map(JsonReader::text).toList();
        schema.object("properties")
                .asMap()
                .forEach((name, field) -> text.append("\n- ").append(field(name, field, required.contains(name))));
        return text.toString();
    }

    /** A field of a form, with its whole schema: a model reads that well, and nothing is lost. */
    private static String field(String name, Json field, boolean isRequired) {
        return name + (isRequired ? " (required): " : ": ") + field;
    }

    private static List<Json> elements(JsonMembers object, String array) {
        Json elements = object.get(array);
        return elements == null ? List.of() : JsonReader.elements(elements);
    }

    private static Json text(String text) {
        return result(text, null);
    }

    private static Json result(String text, @Nullable Json structured) {
        return JsonWriter.object(text.length() + 128)
                .member("content", MessageWriter.content(text))
                .optional("structuredContent", structured)
                .end();
    }
}
