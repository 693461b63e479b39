// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.call.CallResult;

/** Why a follower of a task stopped. */
public sealed interface FollowResult {

    record Ended(TaskView.End end) implements FollowResult {}

    /** There is no end to tell. Reasons are sentences for the user. */
    sealed interface Untold extends FollowResult {
        String reason();
    }

    /** The server does not know the task, or refuses to show it. */
    record NotShown(RpcError error) implements Untold {
        @Override
        public String reason() {
            return "The server does not tell about the task any more: " + error.message() + " (" + error.code() + ")";
        }
    }

    /** The server was out of reach for too long, or sent what cannot be understood. */
    record OutOfReach(String reason) implements Untold {}

    /** The task goes on, and waits for an answer that this client does not give. */
    record Unanswered(String reason) implements Untold {}

    /** The task has ended, and what the server gives as its outcome breaks the protocol. */
    record Unusable(String reason) implements Untold {}

    /** Whether the task has ended or is gone; false where it may go on without this follower. */
    default boolean isTaskOver() {
        return switch (this) {
            case Ended ended -> true;
            case NotShown(var error) -> error.code() == RpcError.INVALID_PARAMS;
            case OutOfReach away -> false;
            case Unanswered open -> false;
            case Unusable unusable -> true;
        };
    }

    /** @param why this client leaves the question of the task open; one sentence */
    static FollowResult leftOpen(String why) {
        return new Unanswered("The task waits for an answer that this client cannot give: " + why
                + " Attach to it with a client that can.");
    }

    static FollowResult ofResult(Json result) {
        return new Ended(ClientReader.end(result));
    }

    /** The end of a task from the response to a request for its outcome. An error is the task's own. */
    static FollowResult ofOutcome(CallResult end) throws InterruptedException {
        return switch (end) {
            case CallResult.Answered(CallResponse.ToolResult(var result)) -> ofResult(result);
            case CallResult.Refused(var error) -> new Ended(new TaskView.End.Failure(error));
            case CallResult.Unusable(var reason, var isResult) when isResult -> new Unusable(reason);
            default -> without(end, "the task's result");
        };
    }

    /**
     * The end of following where a call did not give the expected answer.
     *
     * @throws InterruptedException where the call was cancelled
     */
    static FollowResult without(CallResult end, String expected) throws InterruptedException {
        return switch (end) {
            case CallResult.Answered other ->
                new OutOfReach("The server answered something else than " + expected + ".");
            case CallResult.Refused(var error) -> new NotShown(error);
            case CallResult.Failed failed -> new OutOfReach(failed.reason());
            case CallResult.Cancelled cancelled -> throw new InterruptedException();
        };
    }
}
