// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.task.Outcome;

/** Thrown when a tool that a handler has called ended without a good result. */
public final class ChildFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String taskId;
    private final transient Outcome outcome;

    public ChildFailedException(String message, String taskId, Outcome outcome) {
        super(message);
        this.taskId = taskId;
        this.outcome = outcome;
    }

    /** The id of the tool's task, which its owner can read as long as the task is kept. */
    public String taskId() {
        return taskId;
    }

    /** How the task ended: a result with {@code isError}, an error, a cancellation, or a failure with its reason. */
    public Outcome outcome() {
        return outcome;
    }
}
