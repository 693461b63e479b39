// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.client.value.JavaValues;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;

/** How a call ended. Immutable. */
public sealed interface CallOutcome {

    /** The kinds of outcomes, for programs that keep or count them; the names never change. */
    enum Kind {
        SUCCESS,
        TOOL_ERROR,
        PROTOCOL_ERROR,
        UNUSABLE,
        TIMED_OUT,
        CANCELLED,
        UNANSWERED,
        LOST,
        OUTCOME_UNKNOWN,
        LEFT
    }

    default Kind kind() {
        return switch (this) {
            case ToolResult result -> Kind.SUCCESS;
            case ToolError error -> Kind.TOOL_ERROR;
            case ProtocolError error -> Kind.PROTOCOL_ERROR;
            case Unusable unusable -> Kind.UNUSABLE;
            case TimedOut timedOut -> Kind.TIMED_OUT;
            case Cancelled cancelled -> Kind.CANCELLED;
            case Unanswered unanswered -> Kind.UNANSWERED;
            case Lost lost -> Kind.LOST;
            case OutcomeUnknown unknown -> Kind.OUTCOME_UNKNOWN;
            case Left left -> Kind.LEFT;
        };
    }

    /**
     * The tool gave its result.
     *
     * @param result the whole result object: {@code content}, {@code structuredContent} and any other members
     */
    record ToolResult(Json result) implements CallOutcome {}

    /** The call did not end with a {@link ToolResult}. */
    sealed interface Failed extends CallOutcome {

        /** One sentence for the user; parts may come from the server, and are not to be trusted on a terminal. */
        String reason();

        /** Whether the call may go on without this client, which can {@linkplain McpClient#attach attach} again. */
        default boolean mayGoOn() {
            return switch (this) {
                case Unanswered unanswered -> true;
                case Lost lost -> true;
                case Left left -> true;
                default -> false;
            };
        }
    }

    /**
     * The tool says that it failed.
     *
     * @param result the whole result object, as in a {@link ToolResult}
     */
    record ToolError(Json result) implements Failed {

        /** The text of the result. */
        @Override
        public String reason() {
            var text = JavaValues.text(result);
            return text.isEmpty() ? "The tool failed." : text;
        }
    }

    /** The server answered with a JSON-RPC error. */
    record ProtocolError(RpcError error) implements Failed {

        @Override
        public String reason() {
            return error.message() + " (" + error.code() + ")";
        }
    }

    /** The server broke the protocol, or asked a question that this client cannot answer. */
    record Unusable(String reason) implements Failed {}

    /** The call took longer than {@link CallOptions#timeout}, and the client cancelled the call. */
    record TimedOut(String reason) implements Failed {}

    /** The call was cancelled, by this client or by another. */
    record Cancelled() implements Failed {

        @Override
        public String reason() {
            return "The call was cancelled.";
        }
    }

    /**
     * The task waits for an answer that this client does not give, and goes on: {@linkplain McpClient#attach attach} to
     * the task with a client that can answer.
     */
    record Unanswered(String reason) implements Failed {}

    /**
     * The server was out of reach for too long, or no longer knows the task. Where the call has no
     * {@linkplain RemoteCall#reference() reference}, the server has not begun the call: the call may be made again.
     * Else the task may go on: a client may {@linkplain McpClient#attach attach} to the task.
     */
    record Lost(String reason) implements Failed {}

    /**
     * The call went out, no answer came, and this server offers no way to find out whether it carried out the call. The
     * client repeats a call of a tool that the server declares idempotent instead. A call that may be repeated ends so
     * too where the server stays away: its {@linkplain McpClient#resumeAll handle} stays open.
     */
    record OutcomeUnknown(String reason) implements Failed {}

    /** The client stopped following the call, which the server may go on with. */
    record Left(String reason) implements Failed {}
}
