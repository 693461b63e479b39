// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import io.longhaul.backend.shell.output.CapturedOutput;
import io.longhaul.backend.shell.output.JobOutput;
import io.longhaul.backend.shell.output.ResultFiles;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * The result of a job that has ended.
 *
 * @param task      the task of the job
 * @param exitCode  0 to 255; a job that was ended by a signal has 128 plus the signal's number
 * @param succeeded whether the exit code is one of those that mean success
 * @param attempts  how often the command was run; more than once only where the command is retried
 * @param written   what the last attempt has written
 * @param given     what the command has given beside its output
 */
public record JobResult(
        TaskId task, int exitCode, boolean succeeded, int attempts, CapturedOutput written, Given given) {

    /**
     * What the command has given beside its output.
     *
     * @param files the files that are parts of the result
     * @param said  the line by which the command has given its result, or said why it failed; null for none
     */
    public record Given(ResultFiles files, @Nullable Payload said) {}

    /**
     * The standard output of the last attempt, with its standard error in the order of writing where that is not
     * logged.
     */
    public JobOutput output() {
        return written.output();
    }

    /** The standard error of the last attempt where it is logged, else empty. */
    public JobOutput errors() {
        return written.errors();
    }

    /** All that the last attempt has written. */
    public JobOutput whole() {
        return written.whole();
    }
}
