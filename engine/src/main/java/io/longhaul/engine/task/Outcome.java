// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import org.jspecify.annotations.Nullable;

/** How a task ended, kept whole so that each generation can be told the truth in its own words. */
public sealed interface Outcome {

    /** The terminal state that this outcome leads to. */
    default TaskState state() {
        return switch (this) {
            case Result result -> TaskState.COMPLETED;
            case Error error -> TaskState.FAILED;
            case Failed failed -> TaskState.FAILED;
            case Cancelled cancelled -> TaskState.CANCELLED;
        };
    }

    /**
     * The work returned a result.
     *
     * @param body    what the caller gets
     * @param isError whether the tool says that it failed
     */
    record Result(Payload body, boolean isError) implements Outcome {}

    /**
     * The work ended with a JSON-RPC error.
     *
     * @param code    the JSON-RPC error code
     * @param message one sentence for the peer
     * @param data    the error's data, or null for none
     */
    record Error(int code, String message, @Nullable Payload data) implements Outcome {}

    /**
     * The owner cancelled the task.
     *
     * @param reason what the owner said, in one line, and below that line what the work had come to; or null
     */
    record Cancelled(@Nullable String reason) implements Outcome {}

    /**
     * The work did not come to an end of its own.
     *
     * @param reason  what kept it from that
     * @param message one sentence for the peer
     */
    record Failed(FailureReason reason, String message) implements Outcome {}

    /** Why work did not come to an end of its own. */
    enum FailureReason {
        /** The server stopped or crashed while it ran, and its crash policy does not run it again. */
        INTERRUPTED,
        /** It ran longer than its tool allows. */
        TIMED_OUT,
        /** A question of it was not answered before its deadline. */
        UNANSWERED
    }
}
