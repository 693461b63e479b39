// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.control;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.HistoryEvent;
import io.longhaul.protocol.call.TaskRecord;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.call.TaskView.ResourceUris;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.call.TaskView.Status;
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.StateWords;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.RpcError;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tasks and their histories of the extension, with Longhaul's own states and ends in every generation, for both sides.
 * A client does not trust a server.
 */
final class ControlCodec {

    /** Marks a completed task in whose place a person declined, so that older clients still read its status. */
    private static final String DECLINED = "declined";

    /** All states have words of their own. */
    static final StateWords WORDS = StateWords.of(State.values());

    private ControlCodec() {}

    static Json listed(TaskRecord task) {
        return fields(task).end();
    }

    /** A task with its arguments, its questions and its result. */
    static Json whole(TaskRecord task, Revision version) {
        var out = fields(task).optional("arguments", task.arguments());
        if (!task.task().inputs().isEmpty()) {
            out.member(
                    "inputRequests",
                    MessageWriter.questions(version, task.task().inputs()));
        }
        if (task.task().end() instanceof End.Result(var result, var isError)) {
            out.member("result", result);
        }
        var resources = task.task().status().resources();
        return out.optional("output", resources.output())
                .optional("log", resources.log())
                .end();
    }

    static Json created(TaskView task) {
        var out = MessageWriter.idAndStatus(
                JsonWriter.object(), task, WORDS.word(task.status().state()));
        return MessageWriter.times(out, task.times(), "ttlMs").end();
    }

    private static JsonWriter fields(TaskRecord task) {
        var view = task.task();
        boolean isDeclined = view.status().state() == State.DECLINED;
        var status = isDeclined ? State.COMPLETED : view.status().state();
        var out = MessageWriter.idAndStatus(JsonWriter.object(512), view, WORDS.word(status));
        if (isDeclined) {
            out.member(DECLINED, true);
        }
        out.optional("statusMessage", view.status().message());
        out.member("tool", task.tool()).member("owner", task.owner());
        out.optional("parent", view.status().parent());
        MessageWriter.times(out, view.times(), "ttlMs");
        out.member("attempts", task.attempts()).member("questions", task.questions());
        var progress = view.status().progress();
        if (progress != null) {
            out.member("progress", MessageWriter.progress(progress));
        }
        return end(out, view.end());
    }

    private static JsonWriter end(JsonWriter out, @Nullable End end) {
        return switch (end) {
            case null -> out;
            case End.Result(var result, var isError) ->
                out.member("outcome", "result").member("isError", isError);
            case End.Failure(var error) ->
                out.member("outcome", "error").member("code", error.code()).member("reason", error.message());
            case End.Cancelled(var reason) -> out.member("outcome", "cancelled").optional("reason", reason);
            case End.Broken(var reason) -> out.member("outcome", "failed").member("reason", reason);
        };
    }

    static Json history(CallResponse.History history) {
        var out = JsonWriter.object(1_024).name("events").beginArray();
        history.events().forEach(event -> event(out, event));
        out.endArray().member("last", history.last()).member("more", history.more());
        if (history.written() != null) {
            out.member("written", history.written());
        }
        return out.member("status", WORDS.word(history.state())).end();
    }

    private static void event(JsonWriter out, HistoryEvent event) {
        out.beginObject();
        if (event.seq() > 0) {
            out.member("seq", event.seq());
        }
        out.member("at", event.at().toString()).member("type", event.type());
        out.members(event.detail()).endObject();
    }

    static Json purged(int deleted, @Nullable String next) {
        return JsonWriter.object()
                .member("deleted", deleted)
                .optional("nextCursor", next)
                .end();
    }

    /** Reads the answer to a call of this extension. */
    static CallResponse read(Call call, Json result) throws UnusableMessageException {
        var node = ClientReader.object(result, "result");
        return switch (call) {
            case Call.FindTasks find ->
                new CallResponse.TaskRecords(
                        ClientReader.each(node.path("tasks"), ControlCodec::record),
                        ClientReader.optionalText(node, "nextCursor"));
            case Call.InspectTask inspect -> new CallResponse.Inspected(record(node));
            case Call.ReadHistory read -> history(node);
            case Call.RerunTask retry -> new CallResponse.TaskCreated(view(node), null);
            default ->
                new CallResponse.Purged(node.path("deleted").asInt(0), ClientReader.optionalText(node, "nextCursor"));
        };
    }

    private static TaskRecord record(JsonNode node) throws UnusableMessageException {
        var arguments = node.path("arguments");
        return new TaskRecord(
                view(node),
                ClientReader.text(node, "tool", "task"),
                ClientReader.text(node, "owner", "task"),
                node.path("attempts").asInt(0),
                node.path("questions").asInt(0),
                arguments.isObject() ? JsonTree.write(arguments) : null);
    }

    private static TaskView view(JsonNode node) throws UnusableMessageException {
        var asked = node.path("inputRequests");
        var resources =
                new ResourceUris(ClientReader.optionalText(node, "output"), ClientReader.optionalText(node, "log"));
        return new TaskView(
                ClientReader.text(node, "taskId", "task"),
                new Status(
                        state(node),
                        ClientReader.optionalText(node, "statusMessage"),
                        ClientReader.progress(node.path("progress")),
                        resources,
                        ClientReader.optionalText(node, "parent")),
                ClientReader.times(node, "ttlMs"),
                Duration.ZERO,
                asked.isObject() ? ClientReader.questions(asked) : Map.of(),
                end(node));
    }

    private static State state(JsonNode node) throws UnusableMessageException {
        var known = WORDS.state(node);
        boolean isDeclined = node.path(DECLINED).asBoolean(false);
        return known == State.COMPLETED && isDeclined ? State.DECLINED : known;
    }

    private static @Nullable End end(JsonNode node) {
        var reason = ClientReader.optionalText(node, "reason");
        var said = reason == null ? "no reason given" : reason;
        return switch (node.path("outcome").asString("")) {
            case "result" -> {
                var result = node.path("result");
                yield new End.Result(
                        result.isObject() ? JsonTree.write(result) : Json.EMPTY_OBJECT,
                        node.path("isError").asBoolean(false));
            }
            case "error" -> new End.Failure(new RpcError(node.path("code").asInt(RpcError.INTERNAL_ERROR), said));
            case "cancelled" -> new End.Cancelled(reason);
            case "failed" -> new End.Broken(said);
            default -> null;
        };
    }

    private static CallResponse history(JsonNode node) throws UnusableMessageException {
        return new CallResponse.History(
                ClientReader.each(node.path("events"), ControlCodec::event),
                node.path("last").asLong(0),
                node.path("more").asBoolean(false),
                state(node),
                node.has("written") ? node.path("written").asLong(0) : null);
    }

    private static HistoryEvent event(JsonNode event) throws UnusableMessageException {
        var type = ClientReader.text(event, "type", "event");
        var detail = ((ObjectNode) event.deepCopy()).remove(List.of("seq", "at", "type"));
        return new HistoryEvent(event.path("seq").asLong(0), instant(event), type, JsonTree.write(detail));
    }

    private static Instant instant(JsonNode event) throws UnusableMessageException {
        try {
            return Instant.parse(event.path("at").asString(""));
        } catch (DateTimeException e) {
            throw new UnusableMessageException("The server's event has no time.");
        }
    }
}
