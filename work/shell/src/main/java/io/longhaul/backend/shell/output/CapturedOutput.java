// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.output;

import io.longhaul.backend.shell.folder.JobFolder;
import io.longhaul.engine.secret.SecretMask;
import java.io.IOException;

/**
 * What a job has written.
 *
 * @param errors standard error where it is logged, else empty
 */
public record CapturedOutput(JobOutput output, JobOutput errors) {

    /** The most bytes of logged standard error that a result shows. */
    private static final int ERRORS_CAP = 64 * 1024;

    /**
     * What is on disk, with {@code cap} bytes at most.
     *
     * @throws IOException also where the job still runs, and drops a file that was about to be read
     */
    public static CapturedOutput of(JobFolder folder, int cap, SecretMask mask, OutputOptions options)
            throws IOException {
        var output = OutputFiles.output(folder.path()).capture(cap, mask, options.encoding(), options.isRaw());
        return new CapturedOutput(
                output,
                options.errorsLogged()
                        ? OutputFiles.errors(folder.path())
                                .capture(Math.min(cap, ERRORS_CAP), mask, options.encoding(), options.isRaw())
                        : JobOutput.none());
    }

    /** All that the job has written. */
    public JobOutput whole() {
        return output.with(errors);
    }
}
