// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.words.ClientReading;
import io.longhaul.protocol.dialect.words.Refusals;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.transport.TransportException;
import io.longhaul.requestor.call.CallEnd;
import io.longhaul.requestor.follow.FollowEnd;

/** Translates what a requestor gives into answers, exceptions and outcomes of calls. */
final class Replies {

    private Replies() {}

    /** The answer; throws the exception for any other end of the call. */
    static Answer require(CallEnd asked) {
        return switch (asked) {
            case CallEnd.Answered(var answer) -> answer;
            case CallEnd.Refused(var error) -> throw new RefusedException(error);
            case CallEnd.Lost(var reason, var cause) -> throw new ServerUnreachableException(reason, cause);
            case CallEnd.OutcomeUnknown(var reason, var cause) -> throw new ServerUnreachableException(reason, cause);
            case CallEnd.Unusable(var reason, var isResult) -> throw new UnusableAnswerException(reason, null);
            case CallEnd.Cancelled given ->
                throw new ServerUnreachableException("The client was closed or interrupted.", null);
        };
    }

    static TaskView task(Answer answer) {
        return switch (answer) {
            case Answer.TaskState(var task) -> task;
            case Answer.TaskCancelled(var task) -> task;
            default -> throw new UnusableAnswerException("The server answered something else than a task.", null);
        };
    }

    static McpClientException failed(TransportException e) {
        var message = String.valueOf(e.getMessage());
        return switch (e.kind()) {
            case UNREACHABLE, LOST, TIMEOUT -> new ServerUnreachableException(message, e);
            case UNSUPPORTED -> new UnsupportedByServerException(message);
            case UNUSABLE -> new UnusableAnswerException(message, e);
        };
    }

    static CallOutcome outcome(FollowEnd end) {
        return switch (end) {
            case FollowEnd.Ended(var how) -> outcome(how);
            case FollowEnd.Unusable(var reason) -> new CallOutcome.Unusable(reason);
            case FollowEnd.Untold untold -> new CallOutcome.Lost(untold.reason());
        };
    }

    private static CallOutcome outcome(TaskView.End end) {
        return switch (end) {
            case TaskView.End.Result(var result, var isError) ->
                isError
                        ? new CallOutcome.ToolError(ClientReading.result(result))
                        : new CallOutcome.ToolResult(ClientReading.result(result));
            case TaskView.End.Cancelled cancelled -> new CallOutcome.Cancelled();
            case TaskView.End.Failure failure -> new CallOutcome.ProtocolError(Refusals.ended(failure));
            case TaskView.End.Broken broken -> new CallOutcome.ProtocolError(Refusals.ended(broken));
        };
    }

    static CallOutcome outcome(Answer.ToolResult answer) {
        return outcome(end(answer));
    }

    static TaskView.End end(Answer.ToolResult answer) {
        var result = ClientReading.result(answer.result());
        return new TaskView.End.Result(
                result, JsonTree.read(result).path("isError").asBoolean(false));
    }

    /** The outcome of a call that failed at a preparatory request, such as the request for the tools. */
    static CallOutcome outcome(McpClientException e) {
        var reason = String.valueOf(e.getMessage());
        return switch (e) {
            case RefusedException refused -> new CallOutcome.ProtocolError(refused.error());
            case ServerUnreachableException unreachable -> new CallOutcome.Lost(reason);
            case UnsupportedByServerException unsupported -> new CallOutcome.Unusable(reason);
            case UnusableAnswerException unusable -> new CallOutcome.Unusable(reason);
            case CallFailedException failed -> failed.failure();
        };
    }
}
