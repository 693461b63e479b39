// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.observe;

import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Task;
import java.util.Objects;

/** How a call of a tool ended. */
public enum CallStatus {
    RESULT,
    /** A result in which the tool says that it failed. */
    TOOL_ERROR,
    /** A JSON-RPC error. */
    ERROR,
    /** Refused before the tool was called. */
    REFUSED,
    /** The round ended with questions; the client repeats the call with the answers. */
    ASKED,
    /** Cancelled, or given up by its client. */
    CANCELLED,
    /** The work of a task ran for too long; its caller may still get a result, such as the output so far. */
    TIMED_OUT,
    /** The work of a task was interrupted and is not run again, or was not answered. */
    FAILED;

    /**
     * How the call of a task ended, read when the task ends. A result normally ends the job, too. So the result of a
     * job that still runs is what its backend made of a timeout, such as the output of a command so far. The work of a
     * handler may go on after its result, to let go the tasks that it has called.
     */
    public static CallStatus of(Task task) {
        var ending = Objects.requireNonNull(task.ending());
        boolean isJob = task.execution().handle() != null;
        return switch (ending.outcome()) {
            case Outcome.Result result when isJob && !ending.workEnded() -> TIMED_OUT;
            case Outcome.Result result -> result.isError() ? TOOL_ERROR : RESULT;
            case Outcome.Error error -> ERROR;
            case Outcome.Cancelled cancelled -> CANCELLED;
            case Outcome.Failed failed -> failed.reason() == FailureReason.TIMED_OUT ? TIMED_OUT : FAILED;
        };
    }
}
