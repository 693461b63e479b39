// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.tasks1686;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Alias;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Call.TaskWish.Created;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.call.TaskView.State;
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
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.dialect.words.ProfileCodec;
import io.longhaul.protocol.dialect.words.Related;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The dialect of {@link RequestorTasks} in sessions of one version; the plain dialect handles everything except tasks.
 * A requestor chooses the id of a task, takes the response or the notification of the task, whichever comes first, and
 * cancels the task by cancelling the request. "No capability declarations needed": only the behaviour of a server shows
 * whether it has tasks. As receiver a client runs questions of the server as tasks.
 */
public final class RequestorTasksDialect extends PlainHandshake {

    /** The space within which the ids of requestors are unique. */
    static final String SPACE = "sep-1686";

    /** The key that asks to run a request as a task. */
    static final String AUGMENTED = "modelcontextprotocol.io/task";

    /**
     * "All requests, notifications, and responses related to a task MUST include the
     * `modelcontextprotocol.io/related-task` key in their `_meta`, with the value set to an object with a `taskId`
     * matching the associated task ID."
     */
    static final Related RELATED = new Related(true, "modelcontextprotocol.io/related-task", "taskId");

    private static final List<String> VERBS = List.of("list", "delete");

    /** The most characters of a task id that a requestor chooses. */
    private static final int LONGEST_ID = 256;

    /** The dialect of a client, in sessions of the version that the draft was written for. */
    public RequestorTasksDialect() {
        this(Generation.SEP_1686.revision());
    }

    RequestorTasksDialect(Revision version) {
        super(SPACE, Generation.SEP_1686, version, tasks(traits(version)), RELATED);
    }

    private static Traits tasks(Traits session) {
        return session.with(
                new Making(Created.BESIDE_RESPONSE, Keep.From.COMPLETION, SPACE),
                Following.LOOKING_THEN_ASKING,
                new Telling(NotifiedOn.IN_SESSION, AskedOn.STREAMS),
                Cancelling.BY_CALL);
    }

    @Override
    public Call read(String method, Params params) {
        return switch (method) {
            case "tools/call" -> {
                CallCodec.refuseResumeToken(params, "cannot be given with a wish for a task: leave out one of the two");
                yield CallCodec.IN_SESSIONS.callTool(params, anyWish(params));
            }
            case "resources/read", "prompts/get" ->
                new Call.Augmented((Call.Interactive) super.read(method, params), anyWish(params));
            case "tasks/get" -> new Call.GetTask(params.string("taskId"));
            case "tasks/result" -> new Call.GetOutcome(params.string("taskId"));
            case "tasks/delete" -> new Call.DeleteTask(params.string("taskId"));
            case "tasks/list" -> new Call.ListTasks(CallCodec.cursor(params));
            default -> super.read(method, params);
        };
    }

    @Override
    public Outgoing write(Call call, ClientProfile me) {
        return switch (call) {
            case Call.GetTask(var id) -> task("tasks/get", id);
            case Call.GetOutcome(var id) -> task("tasks/result", id);
            case Call.DeleteTask(var id) -> task("tasks/delete", id);
            case Call.ListTasks(var cursor) -> out("tasks/list", CallCodec.cursor(cursor));
            default -> super.write(call, me);
        };
    }

    private Outgoing task(String method, String taskId) {
        var params = JsonTree.object().put("taskId", taskId);
        CallCodec.meta(params).putObject(RELATED.key()).put("taskId", taskId);
        return out(method, params);
    }

    @Override
    protected Hello offered(Hello said) {
        return said.offering(true, true, false);
    }

    /** "Servers and clients that support task-augmented requests MUST declare a `tasks` capability". */
    @Override
    protected void declare(ObjectNode capabilities, Capabilities can) {
        ProfileCodec.hostingTasks(capabilities, can, VERBS);
    }

    @Override
    public Optional<Dialect> receiving() {
        return Optional.of(this);
    }

    /** "requestors send a request with the `modelcontextprotocol.io/task` key included in `_meta`". */
    @Override
    protected void wish(ObjectNode params, TaskWish.Terms terms) {
        if (terms.alias() == null) {
            return;
        }
        var task = CallCodec.meta(params)
                .putObject(AUGMENTED)
                .put("taskId", terms.alias().id());
        if (terms.time() != null) {
            task.put("keepAlive", terms.time().toMillis());
        }
    }

    /** "Receivers that support task augmentation MAY choose which request types support tasks": not the folders. */
    @Override
    protected Optional<TaskWish.Terms> wished(String method, Params question) {
        boolean wishes = question.members().object(Meta.META).has(AUGMENTED);
        return method.equals("roots/list") || !wishes ? Optional.empty() : Optional.of(wish(question));
    }

    /**
     * "Receivers that do not support task augmentation on a request MUST process the request normally, ignoring any
     * task metadata in `_meta`."
     */
    private static TaskWish anyWish(Params params) {
        return CallCodec.wish(params, RequestorTasksDialect::wish);
    }

    /** "Task IDs MUST be a string value." */
    private static TaskWish.Terms wish(Params params) {
        var meta = params.inner(Meta.META);
        meta.object(AUGMENTED);
        var task = meta.inner(AUGMENTED);
        String id = task.key("taskId");
        if (id.isEmpty() || id.length() > LONGEST_ID) {
            return task.fail("taskId", "must have 1 to " + LONGEST_ID + " characters");
        }
        var time = task.optionalTime("keepAlive", Duration.ofMillis(1));
        return new TaskWish.Terms(Created.BESIDE_RESPONSE, Keep.From.COMPLETION, time, new Alias(SPACE, id));
    }

    @Override
    public Encoded encode(RequestId id, Call call, CallResponse response) {
        return switch (response) {
            case CallResponse.TaskState state when call instanceof Call.GetOutcome -> outcome(id, call, state);
            case CallResponse.TaskState state -> related(id, state.task().id(), RequestorTask.json(state.task()));
            case CallResponse.TaskOutcome outcome -> related(outcome.task().id(), super.encode(id, call, outcome));
            case CallResponse.TaskPage page -> Encoded.result(id, page(page));
            case CallResponse.TaskDeleted deleted -> related(id, deleted.taskId(), Json.EMPTY_OBJECT);
            case CallResponse.Refused(var why) -> refused(id, call, response, why);
            default -> super.encode(id, call, response);
        };
    }

    /** "Receivers MUST only return results from `tasks/result` when the task status is `completed`." */
    private Encoded outcome(RequestId id, Call call, CallResponse.TaskState state) {
        var task = state.task();
        return task.end() instanceof End.Result
                ? encode(id, call, new CallResponse.TaskOutcome(task))
                : failure(
                        id,
                        "Cannot retrieve result: Task status is '" + RequestorTask.status(task) + "', not 'completed'");
    }

    private Encoded refused(RequestId id, Call call, CallResponse response, Refusal why) {
        return switch (why) {
            case Refusal.UnknownTask unknown -> failure(id, "Failed to " + aim(call) + ": Task not found");
            case Refusal.TaskStillLive live ->
                failure(
                        id,
                        live.task().end() == null
                                ? "Cannot delete task: Task status is '" + RequestorTask.status(live.task())
                                        + "', cancel its request first"
                                : "Cannot delete task: its work is still being stopped, try again");
            case Refusal.CreationKeyReused reused ->
                failure(
                        id,
                        "Task ID already exists"
                                + chosen(call).map(of -> ": " + of).orElse(""));
            default -> super.encode(id, call, response);
        };
    }

    /**
     * The id that the requestor chose. A {@code GetTask} stands for a question, which is not a call but names its task.
     */
    private static Optional<String> chosen(Call call) {
        return call instanceof Call.GetTask question
                ? Optional.of(question.taskId())
                : Optional.ofNullable(call.alias()).map(Alias::id);
    }

    private static String aim(Call call) {
        return switch (call) {
            case Call.GetOutcome get -> "retrieve result";
            case Call.DeleteTask delete -> "delete task";
            default -> "retrieve task";
        };
    }

    @Override
    public JsonRpcMessage.@Nullable Notification encode(Notice notice, @Nullable RequestId subscription) {
        return switch (notice) {
            case Notice.TaskCreated(var task) ->
                new JsonRpcMessage.Notification(
                        "notifications/tasks/created", RELATED.to(task.id(), Json.EMPTY_OBJECT));
            case Notice.Progress progress -> {
                var meta = new LinkedHashMap<>(MessageWriter.resources(progress.resources()));
                meta.putAll(RELATED.naming(progress.taskId()));
                yield encode(progress, meta);
            }
            default -> encode(notice, RELATED.naming(notice.taskId()));
        };
    }

    @Override
    public CallResponse read(Call call, Json result) throws UnusableMessageException {
        return switch (call) {
            case Call.GetTask get ->
                new CallResponse.TaskState(RequestorTask.read(ClientReader.object(result, "result")));
            case Call.GetOutcome get -> ClientReader.toolResult(RELATED.without(result));
            case Call.CallTool tool -> super.read(call, RELATED.without(result));
            case Call.DeleteTask(var id) -> new CallResponse.TaskDeleted(id);
            case Call.ListTasks list -> ClientReader.page(ClientReader.object(result, "result"), RequestorTask::read);
            default -> super.read(call, result);
        };
    }

    /** "The notification parameters are otherwise empty"; "Tasks MUST begin in the `submitted` status when created." */
    @Override
    public Optional<Notice> notice(JsonRpcMessage.Notification notification) throws UnusableMessageException {
        return notification.method().equals("notifications/tasks/created")
                ? relatedTask(notification.params())
                        .map(task -> new Notice.TaskCreated(TaskView.untold(task, State.SUBMITTED)))
                : super.notice(notification);
    }

    private static Json page(CallResponse.TaskPage page) {
        return MessageWriter.page("tasks", page.tasks(), RequestorTask.ROOM, RequestorTask::write, page.nextCursor());
    }

    /** A response that names the task. An error has no {@code _meta}: only its id relates it to the task. */
    private static Encoded related(String taskId, Encoded plain) {
        return plain.response() instanceof JsonRpcMessage.Result(var id, var result)
                ? related(id, taskId, result)
                : plain;
    }

    private static Encoded related(RequestId id, String taskId, Json result) {
        return Encoded.result(id, RELATED.to(taskId, result));
    }

    private static Encoded failure(RequestId id, String message) {
        return Encoded.failure(id, new RpcError(RpcError.INVALID_PARAMS, message));
    }
}
