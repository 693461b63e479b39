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
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.dialect.Traits;
import io.longhaul.protocol.dialect.Traits.AskedOn;
import io.longhaul.protocol.dialect.Traits.Cancelling;
import io.longhaul.protocol.dialect.Traits.Following;
import io.longhaul.protocol.dialect.Traits.Making;
import io.longhaul.protocol.dialect.Traits.NotifiedOn;
import io.longhaul.protocol.dialect.Traits.Telling;
import io.longhaul.protocol.dialect.base.PlainHandshake;
import io.longhaul.protocol.dialect.words.CallReader;
import io.longhaul.protocol.dialect.words.FeatureWriter;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.dialect.words.Refusals;
import io.longhaul.protocol.dialect.words.Related;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The dialect of sessions of the revision that has tasks in its core; the plain dialect handles everything except
 * tasks.
 */
public final class HandshakeTasks extends PlainHandshake {

    /** "All requests, notifications, and responses related to a task MUST include" the related task. */
    static final Related RELATED = new Related(true, Meta.RELATED_TASK, "taskId");

    private static final Revision REVISION = Generation.V2025_11_25.revision();
    private static final Json OPTIONAL = MessageWriter.object("taskSupport", "optional");
    private static final Json REQUIRED = MessageWriter.object("taskSupport", "required");
    private static final String LIST = "\"list\":{},";
    private static final String TASKS = "\"cancel\":{},\"requests\":{\"tools\":{\"call\":{}}}}}";

    public HandshakeTasks() {
        super("tasks-" + REVISION.version(), HandshakeTasks::traits, REVISION, RELATED);
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
            case CallResponse.Opened opened -> opened(opened, capability(opened.server()));
            case CallResponse.Tools tools -> FeatureWriter.tools(tools, wording, "execution", HandshakeTasks::support);
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
        if (notice instanceof Notice.TaskChanged(var task)) {
            return new JsonRpcMessage.Notification("notifications/tasks/status", HandshakeTask.json(task));
        }
        var meta = RELATED.naming(notice.taskId());
        if (notice instanceof Notice.Progress progress) {
            meta = new LinkedHashMap<>(meta);
            meta.putAll(MessageWriter.resources(progress.resources()));
        }
        return encode(notice, meta);
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

    private static @Nullable Json support(TaskMode mode) {
        return switch (mode) {
            case NEVER -> null;
            case OPTIONAL -> OPTIONAL;
            case REQUIRED -> REQUIRED;
        };
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
        return !(call instanceof Call.AwaitOutcome) ? result : RELATED.to(task.id(), result);
    }

    private static RpcError alreadyEnded(TaskView task) {
        return new RpcError(
                RpcError.INVALID_PARAMS,
                "Cannot cancel the task: it is already in terminal status '" + HandshakeTask.status(task) + "'");
    }
}
