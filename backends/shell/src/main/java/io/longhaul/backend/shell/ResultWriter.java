// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskId;

/** Puts what a job gave into the format of results. Thread-safe; the module that knows that format provides it. */
@FunctionalInterface
public interface ResultWriter {

    /** The outcome of a job that came to its end. */
    Outcome write(JobResult result);

    /**
     * The outcome of a call whose command was not run, because its arguments cannot be those of a command; an
     * invalid-params error unless overridden.
     *
     * @param why a sentence or two for the caller: which one is wrong, and what to do
     */
    default Outcome refused(String why) {
        return new Outcome.Error(-32602, why, null);
    }

    /**
     * The outcome of a call whose command cannot be started; a JSON-RPC error unless overridden.
     *
     * @param why a sentence for the caller that names what is missing
     */
    default Outcome notStarted(String why) {
        return new Outcome.Error(-32603, why, null);
    }

    /** The outcome of a job that ran for too long: {@code end} unless overridden, without its output so far. */
    default Outcome timedOut(TaskId task, Outcome.Failed end, JobOutput output) {
        return end;
    }

    /**
     * What those are told who look at the task of a job that was cancelled: {@code reason}, and below that line the
     * output so far unless overridden.
     */
    default String cancelled(String reason, JobOutput output) {
        return (reason + "\n" + output.text()).strip();
    }

    /** One piece of partial output; plain UTF-8 text unless overridden. */
    default Payload partial(String lines) {
        return Payload.ofText(lines);
    }
}
