// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.clienttask;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.words.Refusals;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.receiver.plan.ClientTaskManner;
import java.time.Duration;
import java.util.Optional;

/**
 * A task that a client has made of a question of this server. Decides what the server asks the client next, and what
 * each response means. Pure.
 *
 * @param manner      how tasks of the client are dealt with
 * @param id          of the task, at its client
 * @param isCompleted whether the client has said that the task is completed, and its outcome therefore a result
 */
public record ClientTask(ClientTaskManner manner, String id, boolean isCompleted) {

    /** The poll interval of a task whose client names none. */
    public static final Duration USUAL_LOOK = Duration.ofSeconds(1);

    private static final Duration SHORTEST_LOOK = Duration.ofMillis(100);
    private static final Duration LONGEST_LOOK = Duration.ofMinutes(5);
    private static final ClientProfile NOBODY = new ClientProfile("", Capabilities.NONE, Json.EMPTY_OBJECT);

    /** A task of whose state nothing is known yet. */
    public ClientTask(ClientTaskManner manner, String id) {
        this(manner, id, false);
    }

    /** What follows a response. */
    public sealed interface Next {
        /** The task goes on: look at it again after this time. */
        record Poll(Duration after) implements Next {}

        /** The task has an outcome: fetch it. */
        record Fetch(ClientTask ended) implements Next {}

        /** The task has answered the question: with a result, or an error. */
        record Answered(JsonRpcMessage response) implements Next {}

        /** The client knows no such task, or has cancelled it: the question has no answer, and must be put again. */
        record Gone() implements Next {}
    }

    Call look() {
        return new Call.GetTask(id);
    }

    Call outcome() {
        return manner.outcome(id);
    }

    /** Cancels the task, where its client takes such a request. */
    Optional<Call> cancel(Capabilities client) {
        boolean isTaken = isCancelledByRequest() && client.takes().asked().contains("tasks/cancel");
        return isTaken ? Optional.of(new Call.CancelTask(id)) : Optional.empty();
    }

    boolean isCancelledByRequest() {
        return manner.cancelledByRequest();
    }

    /** "Requestors SHOULD delete tasks containing sensitive data promptly", which the answer of a person can be. */
    Optional<Call> delete(Capabilities client) {
        boolean isTaken = !isCancelledByRequest() && client.takes().asked().contains("tasks/delete");
        return isTaken ? Optional.of(new Call.DeleteTask(id)) : Optional.empty();
    }

    JsonRpcMessage.Request request(RequestId request, Call call) {
        var out = manner.dialect().encode(call, NOBODY);
        return new JsonRpcMessage.Request(request, out.method(), out.params());
    }

    /** What follows the response to a look, or to the request for the outcome. */
    public Next next(Call asked, JsonRpcMessage response) {
        return switch (response) {
            case JsonRpcMessage.Result result when asked instanceof Call.GetTask -> looked(asked, result);
            case JsonRpcMessage.Failure failure when asked instanceof Call.GetTask -> refused(failure.error());
            // "Invalid or nonexistent `taskId` in `tasks/get`, `tasks/result`, or `tasks/cancel`: `-32602`"; the same
            // code may be the outcome of a failed task, but not of a completed one.
            case JsonRpcMessage.Failure failure when isCompleted && isUnknown(failure.error()) -> new Next.Gone();
            default -> new Next.Answered(response);
        };
    }

    private Next looked(Call asked, JsonRpcMessage.Result result) {
        try {
            return manner.dialect().decode(asked, result.result()) instanceof CallResponse.TaskState state
                    ? next(result.id(), state.task())
                    : new Next.Gone();
        } catch (UnusableMessageException e) {
            return new Next.Gone();
        }
    }

    private Next next(RequestId id, TaskView task) {
        if (task.end() != null && task.status().state() != TaskView.State.CANCELLED) {
            return new Next.Answered(new JsonRpcMessage.Failure(id, Refusals.ended(task.end())));
        }
        return switch (task.status().state()) {
            case SUBMITTED, WORKING, INPUT_REQUIRED -> new Next.Poll(after(task));
            case COMPLETED, DECLINED -> new Next.Fetch(new ClientTask(manner, this.id, true));
            case FAILED -> new Next.Fetch(this);
            // A client that goes away cancels the task without an answer; a person who dismisses it answers "cancel".
            case CANCELLED -> new Next.Gone();
        };
    }

    /** "Requestors SHOULD respect the `pollInterval` provided in responses when determining polling frequency." */
    static Duration after(TaskView task) {
        var poll = task.poll();
        if (poll.isZero()) {
            return USUAL_LOOK;
        }
        if (poll.compareTo(SHORTEST_LOOK) < 0) {
            return SHORTEST_LOOK;
        }
        return poll.compareTo(LONGEST_LOOK) > 0 ? LONGEST_LOOK : poll;
    }

    private static Next refused(RpcError error) {
        return isUnknown(error) ? new Next.Gone() : new Next.Poll(USUAL_LOOK);
    }

    private static boolean isUnknown(RpcError error) {
        return error.code() == RpcError.INVALID_PARAMS || error.code() == RpcError.METHOD_NOT_FOUND;
    }
}
