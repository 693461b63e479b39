// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import org.jspecify.annotations.Nullable;

/** How a task ended, with all details, so that each dialect can express the end in the words of its generation. */
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
    record Error(int code, String message, @Nullable Payload data) implements Outcome {

        private static final int INVALID_PARAMS = -32602;
        private static final int INTERNAL_ERROR = -32603;

        /** The error of a call with wrong arguments. */
        public static Error invalidParams(String message) {
            return new Error(INVALID_PARAMS, message, null);
        }

        /** The error of a call that the server, or a limit of the server, ends. */
        public static Error internal(String message) {
            return new Error(INTERNAL_ERROR, message, null);
        }
    }

    /**
     * The owner cancelled the task.
     *
     * @param reason the reason of the owner, in one line, and below that line the intermediate result of the work; or
     *               null
     */
    record Cancelled(@Nullable String reason) implements Outcome {}

    /**
     * The work did not end by itself.
     *
     * @param reason  why the engine, or the backend, gave the work up
     * @param message one sentence for the peer
     */
    record Failed(FailureReason reason, String message) implements Outcome {}

    /** Why work did not end by itself. */
    enum FailureReason {
        /** The server stopped or crashed while the work ran, and the crash policy does not run the work again. */
        INTERRUPTED,
        /** The task ran longer than its tool allows. */
        TIMED_OUT,
        /** A question of the task was not answered before its deadline. */
        UNANSWERED
    }
}
