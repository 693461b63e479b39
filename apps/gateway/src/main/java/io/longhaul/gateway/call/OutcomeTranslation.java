// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.call;

import io.longhaul.client.CallOutcome;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Payload;
import io.longhaul.gateway.link.UpstreamServer;
import io.longhaul.gateway.question.UnansweredQuestion;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.receiver.task.TaskViews;
import io.longhaul.server.McpException;
import io.longhaul.server.ToolException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Translates the ends of calls at upstreams for the callers of a gateway. Results and errors pass unchanged. A message
 * of the gateway itself is one sentence without addresses; the log has the rest.
 */
final class OutcomeTranslation {

    private static final Logger LOG = LoggerFactory.getLogger(OutcomeTranslation.class);

    private static final String NOT_BEGUN = "is out of reach, and has not begun the call. Try again later.";

    private OutcomeTranslation() {}

    /** The sentence for a call that has certainly not begun. */
    static String notBegun(UpstreamServer upstream) {
        return "The server '" + upstream.name() + "' behind this gateway " + NOT_BEGUN;
    }

    /**
     * Where a call was made.
     *
     * @param isBegun whether the upstream may have begun the call
     */
    record At(UpstreamServer upstream, boolean isBegun, UnansweredQuestion unanswered) {}

    static Outcome of(CallOutcome outcome, At at) {
        return switch (outcome) {
            case CallOutcome.ToolResult(var result) -> new Outcome.Result(Payload.of(result.bytes()), false);
            case CallOutcome.ToolError(var result) -> new Outcome.Result(Payload.of(result.bytes()), true);
            case CallOutcome.ProtocolError(var error) -> TaskViews.error(error);
            case CallOutcome.OutcomeUnknown unknown ->
                new Outcome.Failed(FailureReason.INTERRUPTED, sentence(unknown, at));
            case CallOutcome.Failed failed -> error(sentence(failed, at));
        };
    }

    /** The end of a call that was made at another address of the upstream. */
    static Outcome moved(UpstreamServer upstream) {
        return new Outcome.Failed(
                FailureReason.INTERRUPTED,
                "The server '" + upstream.name() + "' behind this gateway has another address since the call was made,"
                        + " so that the call cannot be followed: the server may have carried out the call, or not, and"
                        + " the call was not repeated.");
    }

    /** A failure as a tool error, which a model may read. */
    static Outcome error(String sentence) {
        var result = JsonTree.object().put("isError", true);
        result.putArray("content").addObject().put("type", "text").put("text", sentence);
        return new Outcome.Result(Payload.of(JsonTree.write(result).bytes()), true);
    }

    /**
     * The result of a call that passes through.
     *
     * @throws McpException  for a JSON-RPC error of the upstream
     * @throws ToolException where the call has no answer
     */
    static Json result(CallOutcome outcome, At at) {
        return switch (outcome) {
            case CallOutcome.ToolResult(var result) -> result;
            case CallOutcome.ToolError(var result) -> result;
            case CallOutcome.ProtocolError(var error) -> throw passed(error);
            case CallOutcome.Failed failed -> throw new ToolException(sentence(failed, at));
        };
    }

    /** A JSON-RPC error of an upstream, for the caller. */
    static McpException passed(RpcError error) {
        var data = error.data();
        return new McpException(error.code(), error.message(), data == null ? null : JsonTree.read(data));
    }

    private static String sentence(CallOutcome.Failed failed, At at) {
        var upstream = at.upstream();
        LOG.warn("a call at {} ended without an answer: {} ({})", upstream, failed.reason(), failed.kind());
        var server = "The server '" + upstream.name() + "' behind this gateway ";
        return switch (failed.kind()) {
            case OUTCOME_UNKNOWN ->
                server + "was called and did not answer, and leaves no way to learn more: it may have carried out the"
                        + " call, or not. The call was not repeated.";
            case UNANSWERED, LOST, UNUSABLE ->
                at.unanswered().sentence(upstream).orElseGet(() -> server + withoutAnswer(failed, at));
            case TIMED_OUT ->
                server + "did not answer in the time that this gateway gives it. The call was cancelled there, and may"
                        + " have been carried out.";
            case CANCELLED -> server + "cancelled the call.";
            default -> server + "answered what cannot be passed on.";
        };
    }

    /** A call that has begun is not to be made again without a thought: its work may have been done. */
    private static String withoutAnswer(CallOutcome.Failed failed, At at) {
        if (failed instanceof CallOutcome.Unusable) {
            return "answered what cannot be passed on.";
        }
        return at.isBegun()
                ? "does not tell of the call any more: it may have carried out the call, or not. The call was not"
                        + " repeated. Find out what was done before you call again."
                : NOT_BEGUN;
    }
}
