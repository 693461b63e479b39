// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

/** The state of a task. Each dialect maps these states to the words of its generation. */
public enum TaskState {
    /** The task is durable, and its work has not started. */
    SUBMITTED,
    /** The work of the task runs. */
    WORKING,
    /** The work of the task waits for at least one answer. */
    INPUT_REQUIRED,
    /** The task ended with a result, which may have {@code isError}. */
    COMPLETED,
    /** The task ended with a JSON-RPC error, or with a {@link Outcome.FailureReason}. */
    FAILED,
    /** The task ended at the request of its owner. */
    CANCELLED;

    /** Whether this state is final: no command leads out of it. */
    public boolean isTerminal() {
        return this == COMPLETED || this == FAILED || this == CANCELLED;
    }
}
