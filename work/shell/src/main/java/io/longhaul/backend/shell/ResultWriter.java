// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import io.longhaul.backend.shell.output.JobOutput;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskId;

/**
 * Converts the end of a job to the format of results. Thread-safe. The module that knows that format provides an
 * implementation.
 */
@FunctionalInterface
public interface ResultWriter {

    /** The outcome of a job that has ended. */
    Outcome write(JobResult result);

    /**
     * The outcome of a call whose arguments give no valid command line, so that the command was not run; by default an
     * invalid-params error.
     *
     * @param why a sentence or two for the caller: which argument is wrong, and what to do
     */
    default Outcome refused(String why) {
        return Outcome.Error.invalidParams(why);
    }

    /**
     * The outcome of a call whose command cannot be started; by default a JSON-RPC error.
     *
     * @param why a sentence for the caller that names what is missing
     */
    default Outcome notStarted(String why) {
        return Outcome.Error.internal(why);
    }

    /** The outcome of a job that exceeded its timeout; by default {@code end}, without the output so far. */
    default Outcome timedOut(TaskId task, Outcome.Failed end, JobOutput output) {
        return end;
    }

    /**
     * The text that the task of a cancelled job shows; by default {@code reason}, and below that line the output so
     * far.
     */
    default String cancelled(String reason, JobOutput output) {
        return (reason + "\n" + output.text()).strip();
    }

    /** One piece of partial output; by default plain UTF-8 text. */
    default Payload partial(String lines) {
        return Payload.ofText(lines);
    }
}
