// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.engine.task.Progress;
import java.time.Duration;
import java.util.Optional;

/** The result of one look at a job. */
sealed interface Look {

    /** The job goes on. */
    record Working(Optional<Progress> progress, Optional<String> message, Optional<Duration> retryAfter)
            implements Look {}

    /** The job is done. */
    record Done(ApiAnswer answer) implements Look {}

    /** The job has ended without a result, or the API does not show the job any more. */
    record Failed(String why) implements Look {}

    /**
     * The state of the job is unknown at present.
     *
     * @param isDenied whether the API refuses the credentials of this server, which may be replaced at present
     */
    record Trouble(String why, boolean isDenied, Optional<Duration> retryAfter) implements Look {}
}
