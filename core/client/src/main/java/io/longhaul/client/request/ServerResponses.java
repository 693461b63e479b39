// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.request;

import io.longhaul.client.CallFailedException;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClientException;
import io.longhaul.client.RefusedException;
import io.longhaul.client.ServerUnreachableException;
import io.longhaul.client.UnsupportedByServerException;
import io.longhaul.client.UnusableAnswerException;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.dialect.words.Refusals;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.call.CallResult;
import io.longhaul.requestor.follow.FollowResult;

/** Translates what a requestor gives into responses, exceptions and outcomes of calls. */
public final class ServerResponses {

    private ServerResponses() {}

    /** The answer; throws the exception for any other end of the call. */
    public static CallResponse require(CallResult asked) {
        return switch (asked) {
            case CallResult.Answered(var answer) -> answer;
            case CallResult.Refused(var error) -> throw new RefusedException(error);
            case CallResult.Lost(var reason, var cause) -> throw new ServerUnreachableException(reason, cause);
            case CallResult.OutcomeUnknown(var reason, var cause) ->
                throw new ServerUnreachableException(reason, cause);
            case CallResult.Unusable(var reason, var isResult) -> throw new UnusableAnswerException(reason, null);
            case CallResult.Cancelled given ->
                throw new ServerUnreachableException("The client was closed or interrupted.", null);
        };
    }

    /**
     * The response of one kind; throws the exception for any other end of the call.
     *
     * @param expected what was asked for, in words for the user
     */
    public static <T extends CallResponse> T require(Class<T> kind, CallResult asked, String expected) {
        return expect(kind, require(asked), expected);
    }

    /** The answer as one of its kinds; throws the exception for any other answer. */
    public static <T extends CallResponse> T expect(Class<T> kind, CallResponse given, String expected) {
        if (!kind.isInstance(given)) {
            throw new UnusableAnswerException("The server answered something else than " + expected + ".", null);
        }
        return kind.cast(given);
    }

    public static McpClientException failed(TransportException e) {
        var message = String.valueOf(e.getMessage());
        return switch (e.kind()) {
            case UNREACHABLE, LOST, TIMEOUT -> new ServerUnreachableException(message, e);
            case UNSUPPORTED -> new UnsupportedByServerException(message);
            case UNUSABLE -> new UnusableAnswerException(message, e);
        };
    }

    public static CallOutcome outcome(FollowResult end) {
        return switch (end) {
            case FollowResult.Ended(var how) -> outcome(how);
            case FollowResult.Unusable(var reason) -> new CallOutcome.Unusable(reason);
            case FollowResult.Unanswered(var reason) -> new CallOutcome.Unanswered(reason);
            case FollowResult.Untold untold -> new CallOutcome.Lost(untold.reason());
        };
    }

    private static CallOutcome outcome(TaskView.End end) {
        return switch (end) {
            case TaskView.End.Result(var result, var isError) ->
                isError
                        ? new CallOutcome.ToolError(ClientReader.result(result))
                        : new CallOutcome.ToolResult(ClientReader.result(result));
            case TaskView.End.Cancelled cancelled -> new CallOutcome.Cancelled();
            case TaskView.End.Failure failure -> new CallOutcome.ProtocolError(Refusals.ended(failure));
            case TaskView.End.Broken broken -> new CallOutcome.ProtocolError(Refusals.ended(broken));
        };
    }

    public static CallOutcome outcome(CallResult end) {
        return switch (end) {
            case CallResult.Answered(CallResponse.ToolResult result) -> outcome(end(result));
            case CallResult.Answered other ->
                new CallOutcome.Unusable("The server answered something else than a result.");
            case CallResult.Refused(var error) -> new CallOutcome.ProtocolError(error);
            case CallResult.Lost lost -> new CallOutcome.Lost(lost.reason());
            case CallResult.OutcomeUnknown unknown -> new CallOutcome.OutcomeUnknown(unknown.reason());
            case CallResult.Unusable(var reason, var isResult) -> new CallOutcome.Unusable(reason);
            case CallResult.Cancelled cancelled -> new CallOutcome.Cancelled();
        };
    }

    public static TaskView.End end(CallResponse.ToolResult answer) {
        return ClientReader.end(ClientReader.result(answer.result()));
    }

    /** The outcome of a call that failed at a preparatory request, such as the request for the tools. */
    public static CallOutcome outcome(McpClientException e) {
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
