// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.response;

import io.longhaul.backend.http.exchange.ApiResponse;
import io.longhaul.backend.http.job.StartedJob;
import java.time.Duration;
import java.util.Optional;

/** The result of the start of a job. */
public sealed interface StartResult {

    /** The job runs; the first look follows after {@code retryAfter}. */
    record Running(StartedJob job, Optional<Duration> retryAfter) implements StartResult {}

    /** The job has ended already: the response has its result. */
    record Done(ApiResponse response) implements StartResult {}

    /**
     * The job was not begun.
     *
     * @param isRetried whether a retry may succeed
     */
    record Refused(String why, boolean isRetried) implements StartResult {}

    /** The job may have begun, and cannot be followed, since the response does not tell all that is needed. */
    record Unfollowed(String why, StartedJob job) implements StartResult {}

    /** The job was not begun; a later start may succeed. */
    record Busy(String why, Optional<Duration> retryAfter) implements StartResult {}

    /** It is unknown whether the job was begun. */
    record Unknown(String why, Optional<Duration> retryAfter) implements StartResult {}
}
