// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.tasks20251125;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Call.TaskWish.Created;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Traits;
import io.longhaul.protocol.dialect.Traits.AskedOn;
import io.longhaul.protocol.dialect.Traits.Cancelling;
import io.longhaul.protocol.dialect.Traits.Following;
import io.longhaul.protocol.dialect.Traits.Making;
import io.longhaul.protocol.dialect.Traits.NotifiedOn;
import io.longhaul.protocol.dialect.Traits.Telling;
import io.longhaul.protocol.dialect.base.ForwardingDialect;
import io.longhaul.protocol.dialect.base.PlainHandshake;
import io.longhaul.protocol.dialect.words.CallReader;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.dialect.words.Refusals;
import io.longhaul.protocol.dialect.words.RevisionFilter;
import io.longhaul.protocol.dialect.words.Splice;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The dialect of sessions of the revision that has tasks in its core; the plain dialect handles everything except
 * tasks.
 */
public final class HandshakeTasks extends ForwardingDialect {

    private static final PlainHandshake PLAIN = new PlainHandshake(Generation.V2025_11_25.revision());

    private static final String LIST = "\"list\":{},";
    private static final String TASKS = "\"cancel\":{},\"requests\":{\"tools\":{\"call\":{}}}}}";

    private final RevisionFilter wording = new RevisionFilter(Generation.V2025_11_25.revision());

    public HandshakeTasks() {
        super("tasks-" + Generation.V2025_11_25.version(), traits(PLAIN.traits()), PLAIN);
    }

    static Traits traits(Traits session) {
        return session.with(
                new Making(Created.BY_CALLER, Keep.From.CREATION, null),
                Following.WAITING,
                new Telling(NotifiedOn.IN_SESSION, AskedOn.STREAMS_AFTER_A_POLL),
                Cancelling.BY_REQUEST);
    }

    /** The task id of the params is "the source of truth": a related task in their {@code _meta} is ignored. */
    @Override
    public Call read(String method, Params params) {
        return switch (method) {
            case "tools/call" -> CallReader.IN_SESSIONS.callTool(params, CallReader.wish(params, HandshakeTasks::wish));
            case "tasks/get" -> new Call.GetTask(params.string("taskId"));
            case "tasks/result" ->
                new Call.AwaitOutcome(params.string("taskId"), CallReader.IN_SESSIONS.extras(params));
            case "tasks/cancel" -> new Call.CancelTask(params.string("taskId"));
            case "tasks/list" -> new Call.ListTasks(CallReader.cursor(params));
            default -> super.read(method, params);
        };
    }

    @Override
    public Encoded encode(RequestId id, Call call, CallResponse response) {
        var result = switch (response) {
            case CallResponse.Opened opened -> PLAIN.opened(opened, capability(opened.server()));
            case CallResponse.Tools tools -> tools(tools);
            case CallResponse.TaskCreated created -> created(created);
            case CallResponse.TaskState state -> HandshakeTask.json(state.task());
            case CallResponse.TaskPage page -> page(page);
            case CallResponse.TaskCancelled cancelled -> HandshakeTask.json(cancelled.task());
            case CallResponse.TaskOutcome outcome
            when outcome.task().end() instanceof End.Result ended ->
                outcome(call, wording.result(ended.result()), outcome.task());
            default -> null;
        };
        if (result != null) {
            return Encoded.result(id, result);
        }
        return switch (response) {
            case CallResponse.TaskAlreadyEnded ended -> Encoded.failure(id, alreadyEnded(ended.task()));
            case CallResponse.Refused(Refusal.InvalidArguments why) -> Encoded.failure(id, Refusals.error(why));
            default -> super.encode(id, call, response);
        };
    }

    /** "`notifications/tasks/status` SHOULD NOT include" the related task; all other notifications of a task must. */
    @Override
    public JsonRpcMessage.@Nullable Notification encode(Notice notice, @Nullable RequestId subscription) {
        return switch (notice) {
            case Notice.Progress progress ->
                new JsonRpcMessage.Notification(
                        "notifications/progress", MessageWriter.progress(progress, meta(progress)));
            case Notice.Log log ->
                new JsonRpcMessage.Notification("notifications/message", MessageWriter.log(log, meta(log.taskId())));
            case Notice.TaskChanged changed ->
                new JsonRpcMessage.Notification("notifications/tasks/status", HandshakeTask.json(changed.task()));
            case Notice.Withdrawn withdrawn -> withdrawn(withdrawn);
            default -> super.encode(notice, subscription);
        };
    }

    @Override
    public JsonRpcMessage.@Nullable Request encode(
            RequestId id, CallResponse.Question question, @Nullable String taskId) {
        var params = taskId == null ? question.params() : Splice.into(question.params(), Map.of(), meta(taskId));
        return new JsonRpcMessage.Request(id, question.method(), params);
    }

    /** "All requests, notifications, and responses related to a task MUST include" the related task. */
    @Override
    public Optional<String> answeredTask(Json result) {
        return MessageWriter.text(result, Meta.META, Meta.RELATED_TASK, "taskId");
    }

    private JsonRpcMessage.@Nullable Notification withdrawn(Notice.Withdrawn withdrawn) {
        var said = super.encode(withdrawn, null);
        return said == null
                ? null
                : new JsonRpcMessage.Notification(
                        said.method(), Splice.into(said.params(), Map.of(), meta(withdrawn.taskId())));
    }

    private static Json capability(CallResponse.ServerProfile server) {
        return server.offer().tasks()
                ? Json.raw("{\"tasks\":{" + (server.listsTasks() ? LIST : "") + TASKS)
                : Json.EMPTY_OBJECT;
    }

    static TaskWish wish(Params params) {
        if (!params.has("task")) {
            return new TaskWish.None();
        }
        params.object("task");
        var task = params.inner("task");
        var time = task.optionalTime("ttl", Duration.ofMillis(1));
        return new TaskWish.Terms(Created.BY_CALLER, Keep.From.CREATION, time, null);
    }

    private Json tools(CallResponse.Tools tools) {
        var writer = JsonWriter.object(1024).name("tools").beginArray();
        tools.tools().forEach(tool -> {
            if (tool.taskMode() == TaskMode.NEVER) {
                writer.raw(wording.tool(tool.definition()));
            } else {
                var support = tool.taskMode() == TaskMode.REQUIRED ? "required" : "optional";
                writer.beginObject()
                        .members(wording.tool(tool.definition()))
                        .name("execution")
                        .beginObject()
                        .member("taskSupport", support)
                        .endObject()
                        .endObject();
            }
        });
        return writer.endArray().optional("nextCursor", tools.nextCursor()).end();
    }

    private static Json created(CallResponse.TaskCreated created) {
        var writer = JsonWriter.object(512).member("task", HandshakeTask.json(created.task()));
        var immediate = created.immediate() == null ? null : MessageWriter.text(created.immediate());
        return MessageWriter.meta(
                writer, immediate == null ? Map.of() : Map.of(Meta.IMMEDIATE_RESPONSE, JsonWriter.quote(immediate)));
    }

    private static Json page(CallResponse.TaskPage page) {
        return MessageWriter.page("tasks", page.tasks(), HandshakeTask.ROOM, HandshakeTask::write, page.nextCursor());
    }

    private static Json outcome(Call call, Json result, TaskView task) {
        return !(call instanceof Call.AwaitOutcome) ? result : Splice.into(result, Map.of(), meta(task.id()));
    }

    private static RpcError alreadyEnded(TaskView task) {
        return new RpcError(
                RpcError.INVALID_PARAMS,
                "Cannot cancel the task: it is already in terminal status '" + HandshakeTask.status(task) + "'");
    }

    private static Map<String, Json> meta(Notice.Progress progress) {
        var all = new LinkedHashMap<>(meta(progress.taskId()));
        all.putAll(MessageWriter.resources(progress.resources()));
        return all;
    }

    private static Map<String, Json> meta(@Nullable String taskId) {
        return taskId == null ? Map.of() : Map.of(Meta.RELATED_TASK, MessageWriter.object("taskId", taskId));
    }
}
