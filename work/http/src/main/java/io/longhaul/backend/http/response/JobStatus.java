// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.response;

import io.longhaul.backend.http.exchange.ApiResponse;
import io.longhaul.engine.task.Progress;
import java.time.Duration;
import java.util.Optional;

/** The result of one look at a job. */
public sealed interface JobStatus {

    default boolean hasEnded() {
        return this instanceof Done || this instanceof Failed;
    }

    /** The pause that the API asks for. */
    default Optional<Duration> retryAfter() {
        return Optional.empty();
    }

    /** The job goes on. */
    record Working(Optional<Progress> progress, Optional<String> message, Optional<Duration> retryAfter)
            implements JobStatus {}

    /** The job is done. */
    record Done(ApiResponse response) implements JobStatus {}

    /**
     * The job has ended without a result, or the API does not show the job any more.
     *
     * @param isRetried whether a retry may succeed: the job has ended, and by itself
     */
    record Failed(String why, boolean isRetried) implements JobStatus {}

    /**
     * The state of the job is unknown at present.
     *
     * @param isDenied whether the API refuses the credentials of this server, which may be replaced at present
     */
    record Trouble(String why, boolean isDenied, Optional<Duration> retryAfter) implements JobStatus {}
}
