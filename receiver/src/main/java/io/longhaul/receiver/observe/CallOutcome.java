// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.observe;

import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Task;
import java.util.Objects;

/** How a call of a tool ended. */
public enum CallOutcome {
    RESULT,
    /** A result in which the tool says that it failed. */
    TOOL_ERROR,
    /** A JSON-RPC error. */
    ERROR,
    /** Refused before the tool was called. */
    REFUSED,
    /** The round ended with questions; the client calls again with the answers. */
    ASKED,
    /** Cancelled, or given up by its client. */
    CANCELLED,
    /** The work of a task ran for too long; its caller may get a result all the same, as of a command so far. */
    TIMED_OUT,
    /** The work of a task was interrupted and is not run again, or was not answered. */
    FAILED;

    /**
     * How the call behind a task has ended that ends now. The result of a job ends its work too, so that one whose job
     * goes on is what a backend made of a timeout, such as the output of a command so far. The work of a handler goes
     * on behind its result where it has to let go what it has called.
     */
    public static CallOutcome of(Task task) {
        var ending = Objects.requireNonNull(task.ending());
        boolean isJob = task.tenure().handle() != null;
        return switch (ending.outcome()) {
            case Outcome.Result result when isJob && !ending.workEnded() -> TIMED_OUT;
            case Outcome.Result result -> result.isError() ? TOOL_ERROR : RESULT;
            case Outcome.Error error -> ERROR;
            case Outcome.Cancelled cancelled -> CANCELLED;
            case Outcome.Failed failed -> failed.reason() == FailureReason.TIMED_OUT ? TIMED_OUT : FAILED;
        };
    }
}
