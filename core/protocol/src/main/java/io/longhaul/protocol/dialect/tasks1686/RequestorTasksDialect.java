// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.tasks1686;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Alias;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Call.TaskWish.Created;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.call.TaskView.End;
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
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.dialect.words.Related;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The dialect of {@link RequestorTasks} in sessions of one version; the plain dialect handles everything except tasks.
 */
final class RequestorTasksDialect extends PlainHandshake {

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

    /** The most characters of a task id that a requestor chooses. */
    private static final int LONGEST_ID = 256;

    RequestorTasksDialect(Revision version) {
        super(SPACE + "-" + version.version(), RequestorTasksDialect::traits, version, RELATED);
    }

    static Traits traits(Traits session) {
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
                CallReader.refuseResumeToken(
                        params, "cannot be given with a wish for a task: leave out one of the two");
                yield CallReader.IN_SESSIONS.callTool(params, anyWish(params));
            }
            case "resources/read", "prompts/get" ->
                new Call.Augmented((Call.Interactive) super.read(method, params), anyWish(params));
            case "tasks/get" -> new Call.GetTask(params.string("taskId"));
            case "tasks/result" -> new Call.GetOutcome(params.string("taskId"));
            case "tasks/delete" -> new Call.DeleteTask(params.string("taskId"));
            case "tasks/list" -> new Call.ListTasks(CallReader.cursor(params));
            default -> super.read(method, params);
        };
    }

    /**
     * "Receivers that do not support task augmentation on a request MUST process the request normally, ignoring any
     * task metadata in `_meta`."
     */
    private static TaskWish anyWish(Params params) {
        return CallReader.wish(params, RequestorTasksDialect::wish);
    }

    /** "Task IDs MUST be a string value." */
    static TaskWish.Terms wish(Params params) {
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
        return switch (call) {
            case Call.CallTool tool -> chosen(tool.wish());
            case Call.Augmented augmented -> chosen(augmented.wish());
            case Call.GetTask question -> Optional.of(question.taskId());
            default -> Optional.empty();
        };
    }

    private static Optional<String> chosen(TaskWish wish) {
        return wish instanceof TaskWish.Terms terms
                ? Optional.ofNullable(terms.alias()).map(Alias::id)
                : Optional.empty();
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
