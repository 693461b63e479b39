// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import java.time.Duration;
import java.util.Optional;

/** The result of the start of a job. */
sealed interface Begun {

    /** The job runs; the first look follows after {@code retryAfter}. */
    record Running(StartedJob job, Optional<Duration> retryAfter) implements Begun {}

    /** The job has ended already: the answer has its result. */
    record Done(ApiAnswer answer) implements Begun {}

    /** The job was not begun. */
    record Refused(String why) implements Begun {}

    /** The job may have begun, and cannot be followed, since the answer does not tell all that is needed. */
    record Unfollowed(String why, StartedJob job) implements Begun {}

    /** The job was not begun; a later start may succeed. */
    record Busy(String why, Optional<Duration> retryAfter) implements Begun {}

    /** It is unknown whether the job was begun. */
    record Unknown(String why, Optional<Duration> retryAfter) implements Begun {}
}
