package io.longhaul.client;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.words.ClientReading;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.transport.TransportException;
import io.longhaul.requestor.call.CallEnd;
import io.longhaul.requestor.follow.FollowEnd;

/** Translates what a requestor gives into answers, exceptions and outcomes of calls. */
final class Replies {

    private Replies() {}

    /** The answer, or the exception for what came instead. */
    static Answer require(CallEnd asked) {
        return switch (asked) {
            case CallEnd.Answered(var answer) -> answer;
            case CallEnd.Refused(var error) -> throw new RefusedException(error);
            case CallEnd.Lost(var reason, var cause) -> throw new ServerUnreachableException(reason, cause);
            case CallEnd.Unusable(var reason) -> throw new UnusableAnswerException(reason, null);
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
            case FollowEnd.NotShown(var error) ->
                new CallOutcome.Failed("The server does not tell about the task any more: " + error.message() + " ("
                        + error.code() + ")");
            case FollowEnd.OutOfReach(var reason) -> new CallOutcome.Failed(reason);
        };
    }

    private static CallOutcome outcome(TaskView.End end) {
        return switch (end) {
            case TaskView.End.Result(var result, var isError) ->
                new CallOutcome.ToolResult(ClientReading.result(result), isError);
            case TaskView.End.Failure(var error) -> new CallOutcome.ProtocolError(error);
            case TaskView.End.Cancelled cancelled -> new CallOutcome.Cancelled();
            case TaskView.End.Broken(var reason) -> new CallOutcome.Failed(reason);
        };
    }

    static CallOutcome.ToolResult outcome(Answer.ToolResult result) {
        var isError = JsonTree.read(result.result()).path("isError").asBoolean(false);
        return new CallOutcome.ToolResult(ClientReading.result(result.result()), isError);
    }
}
