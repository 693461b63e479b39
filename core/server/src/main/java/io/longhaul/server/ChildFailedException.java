// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.rpc.RpcError;

/** Thrown when a tool that a handler has called ended without a good result. */
public final class ChildFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String taskId;
    private final transient Outcome outcome;

    ChildFailedException(Task child, Outcome outcome) {
        super(message(child, outcome));
        taskId = child.id().value();
        this.outcome = outcome;
    }

    private static String message(Task child, Outcome outcome) {
        return "The tool '" + child.spec().work() + "', which was called as task " + child.id() + ", "
                + switch (outcome) {
                    case Outcome.Result result -> "has said that it failed.";
                    case Outcome.Error error -> "ended with an error: " + error.message();
                    case Outcome.Cancelled cancelled -> "was cancelled.";
                    case Outcome.Failed failed -> "came to no end of its own: " + failed.message();
                };
    }

    /** The id of the tool's task, which its owner can read as long as the task is kept. */
    public String taskId() {
        return taskId;
    }

    /** How the task ended: a result with {@code isError}, an error, a cancellation, or a failure with its reason. */
    public Outcome outcome() {
        return outcome;
    }

    /** The outcome of a handler that does not catch this exception. */
    Outcome ofParent() {
        return switch (outcome) {
            case Outcome.Result result -> result;
            case Outcome.Error error -> error;
            case Outcome.Cancelled cancelled -> internal();
            case Outcome.Failed failed -> internal();
        };
    }

    private Outcome internal() {
        return new Outcome.Error(RpcError.INTERNAL_ERROR, String.valueOf(getMessage()), null);
    }
}
