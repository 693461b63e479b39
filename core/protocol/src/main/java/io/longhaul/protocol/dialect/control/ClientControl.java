// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.control;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.HistoryEvent;
import io.longhaul.protocol.call.TaskQuery;
import io.longhaul.protocol.call.TaskRecord;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.call.TaskView.ResourceUris;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.call.TaskView.Status;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialect.Outgoing;
import io.longhaul.protocol.dialect.ClientExtension;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.dialect.words.ClientWriter;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.RpcError;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The client's side of {@link TaskControl}, the same in every generation. */
public final class ClientControl implements ClientExtension {

    private static final String TASK = "taskId";

    @Override
    public Optional<Outgoing> encode(Call call, ClientProfile me, ClientDialect own) {
        return words(call).map(words -> own.write(words, me));
    }

    private static Optional<Call.Extended> words(Call call) {
        return Optional.ofNullable(
                switch (call) {
                    case Call.FindTasks find -> {
                        var params = query(ClientWriter.cursor(find.cursor()), find.query());
                        yield said(TaskControl.LIST, params.put("limit", find.limit()));
                    }
                    case Call.InspectTask inspect -> said(TaskControl.GET, task(inspect.taskId()));
                    case Call.ReadHistory read -> said(TaskControl.HISTORY, history(read));
                    case Call.RerunTask retry -> {
                        var params = task(retry.taskId());
                        yield said(TaskControl.RETRY, retry.resumes() ? params.put("resume", true) : params);
                    }
                    case Call.PurgeTasks purge -> {
                        var params = query(ClientWriter.cursor(purge.cursor()), purge.query());
                        yield said(
                                TaskControl.PURGE,
                                params.put("olderThanMs", purge.olderThan().toMillis()));
                    }
                    default -> null;
                });
    }

    private static Call.Extended said(String method, ObjectNode params) {
        return new Call.Extended(method, JsonTree.write(params));
    }

    private static ObjectNode task(String id) {
        return JsonTree.object().put(TASK, id);
    }

    private static ObjectNode query(ObjectNode params, TaskQuery query) {
        if (query.owner() != null) {
            params.put("owner", query.owner());
        }
        if (query.tool() != null) {
            params.put("tool", query.tool());
        }
        if (!query.states().isEmpty()) {
            var states = params.putArray("states");
            query.states().stream().sorted().map(MessageWriter::status).forEach(states::add);
        }
        if (query.since() != null) {
            params.put("since", query.since().toString());
        }
        if (query.parent() != null) {
            params.put("parent", query.parent());
        }
        return params;
    }

    private static ObjectNode history(Call.ReadHistory call) {
        var range = call.range();
        var params = task(call.taskId()).put("after", range.after()).put("limit", range.limit());
        if (!range.types().isEmpty()) {
            var types = params.putArray("types");
            range.types().stream().sorted().forEach(types::add);
        }
        return range.patience().isZero()
                ? params
                : params.put("waitMs", range.patience().toMillis());
    }

    @Override
    public Optional<CallResponse> decode(Call call, Json result, ClientDialect own) throws UnusableMessageException {
        var words = words(call);
        if (words.isEmpty()) {
            return Optional.empty();
        }
        own.read(words.get(), result);
        return Optional.of(read(call, result));
    }

    private static CallResponse read(Call call, Json result) throws UnusableMessageException {
        var node = ClientReader.object(result, "result");
        return switch (call) {
            case Call.FindTasks find -> {
                var tasks = new ArrayList<TaskRecord>();
                for (var task : node.path("tasks")) {
                    tasks.add(record(task));
                }
                yield new CallResponse.TaskRecords(tasks, ClientReader.optionalText(node, "nextCursor"));
            }
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
                ClientReader.text(node, TASK, "task"),
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
        var known = ClientReader.state(node);
        boolean isDeclined = node.path(ControlWriter.DECLINED).asBoolean(false);
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
        var events = new ArrayList<HistoryEvent>();
        for (var event : node.path("events")) {
            var type = ClientReader.text(event, "type", "event");
            var detail = ((ObjectNode) event.deepCopy()).remove(List.of("seq", "at", "type"));
            events.add(new HistoryEvent(event.path("seq").asLong(0), instant(event), type, JsonTree.write(detail)));
        }
        return new CallResponse.History(
                events, node.path("last").asLong(0), node.path("more").asBoolean(false), state(node));
    }

    private static Instant instant(JsonNode event) throws UnusableMessageException {
        try {
            return Instant.parse(event.path("at").asString(""));
        } catch (DateTimeException e) {
            throw new UnusableMessageException("The server's event has no time.");
        }
    }
}
