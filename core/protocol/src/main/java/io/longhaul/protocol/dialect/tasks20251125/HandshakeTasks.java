// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.tasks20251125;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Call.TaskWish.Created;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.dialect.ClientDialect.Hello;
import io.longhaul.protocol.dialect.ClientDialect.Outgoing;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.dialect.Traits;
import io.longhaul.protocol.dialect.Traits.AskedOn;
import io.longhaul.protocol.dialect.Traits.Cancelling;
import io.longhaul.protocol.dialect.Traits.Following;
import io.longhaul.protocol.dialect.Traits.Making;
import io.longhaul.protocol.dialect.Traits.NotifiedOn;
import io.longhaul.protocol.dialect.Traits.Telling;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.base.PlainHandshake;
import io.longhaul.protocol.dialect.words.CallCodec;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.dialect.words.FeatureCodec;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.dialect.words.ProfileCodec;
import io.longhaul.protocol.dialect.words.Refusals;
import io.longhaul.protocol.dialect.words.Related;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The dialect of sessions of the revision that has tasks in its core; the plain dialect handles everything except
 * tasks.
 */
public final class HandshakeTasks extends PlainHandshake {

    /** "All requests, notifications, and responses related to a task MUST include" the related task. */
    private static final Related RELATED = new Related(true, Meta.RELATED_TASK, "taskId");

    private static final Revision REVISION = Generation.V2025_11_25.revision();
    private static final List<String> VERBS = List.of("list", "cancel");
    private static final String SUPPORT = "taskSupport";
    private static final Map<TaskMode, Json> SUPPORTED = Map.of(
            TaskMode.OPTIONAL, MessageWriter.object(SUPPORT, "optional"),
            TaskMode.REQUIRED, MessageWriter.object(SUPPORT, "required"));
    private static final String LIST = "\"list\":{},";
    private static final String TASKS = "\"cancel\":{},\"requests\":{\"tools\":{\"call\":{}}}}}";

    public HandshakeTasks() {
        super("tasks", Generation.V2025_11_25, REVISION, tasks(traits(REVISION)), RELATED);
    }

    private static Traits tasks(Traits session) {
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
            case "tools/call" -> CallCodec.IN_SESSIONS.callTool(params, CallCodec.wish(params, HandshakeTasks::wish));
            case "tasks/get" -> new Call.GetTask(params.string("taskId"));
            case "tasks/result" -> new Call.AwaitOutcome(params.string("taskId"), CallCodec.IN_SESSIONS.extras(params));
            case "tasks/cancel" -> new Call.CancelTask(params.string("taskId"));
            case "tasks/list" -> new Call.ListTasks(CallCodec.cursor(params));
            default -> super.read(method, params);
        };
    }

    @Override
    public Outgoing write(Call call, ClientProfile me) {
        return switch (call) {
            case Call.GetTask(var id) -> out("tasks/get", "taskId", id);
            case Call.AwaitOutcome(var id, var extras) ->
                out("tasks/result", CallCodec.extras(JsonTree.object().put("taskId", id), extras));
            case Call.ListTasks(var cursor) -> out("tasks/list", CallCodec.cursor(cursor));
            case Call.CancelTask(var id) -> out("tasks/cancel", "taskId", id);
            default -> super.write(call, me);
        };
    }

    @Override
    public Encoded encode(RequestId id, Call call, CallResponse response) {
        var result = switch (response) {
            case CallResponse.Opened opened -> opened(opened, capability(opened.server()));
            case CallResponse.Tools tools -> FeatureCodec.tools(tools, wording, "execution", SUPPORTED::get);
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

    @Override
    public CallResponse read(Call call, Json result) throws UnusableMessageException {
        return switch (call) {
            case Call.CallTool tool
            when tool.wish() instanceof TaskWish.Terms -> created(ClientReader.object(result, "result"));
            case Call.AwaitOutcome await -> ClientReader.toolResult(RELATED.without(result));
            case Call.GetTask get -> new CallResponse.TaskState(task(result));
            case Call.CancelTask cancel -> new CallResponse.TaskCancelled(task(result));
            case Call.ListTasks list -> ClientReader.page(ClientReader.object(result, "result"), HandshakeTask::read);
            default -> super.read(call, result);
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

    @Override
    public Optional<Notice> notice(JsonRpcMessage.Notification notification) throws UnusableMessageException {
        return notification.method().equals("notifications/tasks/status")
                ? Optional.of(new Notice.TaskChanged(
                        HandshakeTask.read(ClientReader.object(notification.params(), "notification"))))
                : super.notice(notification);
    }

    private static Json capability(CallResponse.ServerProfile server) {
        return server.offer().tasks()
                ? Json.raw("{\"tasks\":{" + (server.listsTasks() ? LIST : "") + TASKS)
                : Json.EMPTY_OBJECT;
    }

    @Override
    protected Hello offered(Hello said) {
        var offer = JsonTree.read(said.capabilities()).path("tasks");
        boolean calls = offer.path("requests").path("tools").has("call");
        return said.offering(calls, offer.has("list"), offer.has("cancel"));
    }

    /** "Servers and clients that support task-augmented requests MUST declare a `tasks` capability". */
    @Override
    protected void declare(ObjectNode capabilities, Capabilities can) {
        if (can.form() || can.url() || can.sampling()) {
            ProfileCodec.hostingTasks(capabilities, can, VERBS);
        }
    }

    @Override
    public Optional<Dialect> receiving() {
        return Optional.of(this);
    }

    @Override
    public Optional<TaskView> hosted(Json result) throws UnusableMessageException {
        var task = ClientReader.object(result, "result").path("task");
        return task.has("taskId") ? Optional.of(HandshakeTask.read(task)) : Optional.empty();
    }

    @Override
    protected void wish(ObjectNode params, TaskWish.Terms terms) {
        var task = params.putObject("task");
        if (terms.time() != null) {
            task.put("ttl", terms.time().toMillis());
        }
    }

    @Override
    protected Optional<TaskWish.Terms> wished(String method, Params question) {
        return wish(question) instanceof TaskWish.Terms terms ? Optional.of(terms) : Optional.empty();
    }

    private static TaskWish wish(Params params) {
        if (!params.has("task")) {
            return new TaskWish.None();
        }
        params.object("task");
        var task = params.inner("task");
        var time = task.optionalTime("ttl", Duration.ofMillis(1));
        return new TaskWish.Terms(Created.BY_CALLER, Keep.From.CREATION, time, null);
    }

    @Override
    protected TaskMode mode(JsonNode tool) {
        return switch (tool.path("execution").path(SUPPORT).asString("")) {
            case "required" -> TaskMode.REQUIRED;
            case "optional" -> TaskMode.OPTIONAL;
            default -> TaskMode.NEVER;
        };
    }

    private static Json created(CallResponse.TaskCreated created) {
        var writer = JsonWriter.object(512).member("task", HandshakeTask.json(created.task()));
        var immediate = created.immediate() == null ? null : MessageWriter.text(created.immediate());
        return MessageWriter.meta(
                writer, immediate == null ? Map.of() : Map.of(Meta.IMMEDIATE_RESPONSE, JsonWriter.quote(immediate)));
    }

    private static TaskView task(Json result) throws UnusableMessageException {
        return HandshakeTask.read(ClientReader.object(result, "result"));
    }

    private static CallResponse created(JsonNode node) throws UnusableMessageException {
        if (!node.path("task").isObject()) {
            throw new UnusableMessageException("The server was asked for a task and answered without one.");
        }
        var immediate = ClientReader.optionalText(node.path(Meta.META), Meta.IMMEDIATE_RESPONSE);
        return new CallResponse.TaskCreated(
                HandshakeTask.read(node.path("task")), immediate == null ? null : MessageWriter.content(immediate));
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
