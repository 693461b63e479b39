// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

/** Where a task stands. Each dialect maps these to the words of its generation. */
public enum TaskState {
    /** Durable, and not yet started. */
    SUBMITTED,
    /** Its work runs. */
    WORKING,
    /** Its work waits for at least one answer. */
    INPUT_REQUIRED,
    /** Ended with a result, which may say {@code isError}. */
    COMPLETED,
    /** Ended with a JSON-RPC error or with a reason of ours. */
    FAILED,
    /** Ended by request of its owner. */
    CANCELLED;

    /** Whether this state is final: no command leads out of it. */
    public boolean isTerminal() {
        return this == COMPLETED || this == FAILED || this == CANCELLED;
    }
}
