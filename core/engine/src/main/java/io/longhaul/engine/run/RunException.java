// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import io.longhaul.engine.task.Outcome;

/** Ends the task with an outcome from anywhere inside its work. */
public final class RunException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Outcome outcome;

    public RunException(Outcome outcome) {
        super(outcome.toString(), null, false, false);
        this.outcome = outcome;
    }

    /** Ends the task with the JSON-RPC error of a call that the server, or a limit of the server, ends. */
    public static RunException internal(String message) {
        return new RunException(Outcome.Error.internal(message));
    }

    /** How the task ends. */
    public Outcome outcome() {
        return outcome;
    }
}
