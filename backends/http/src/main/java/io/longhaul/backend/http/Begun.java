// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import java.time.Duration;
import java.util.Optional;

/** What became of the start of a job. */
sealed interface Begun {

    /** It runs, and is looked at after {@code retryAfter}. */
    record Running(StartedJob job, Optional<Duration> retryAfter) implements Begun {}

    /** It has ended already: the answer is its result. */
    record Done(ApiAnswer answer) implements Begun {}

    /** It was not begun, or cannot be followed. */
    record Refused(String why) implements Begun {}

    /** It was not begun, and may be later. */
    record Busy(String why, Optional<Duration> retryAfter) implements Begun {}

    /** Nobody here can tell whether it was begun. */
    record Unknown(String why, Optional<Duration> retryAfter) implements Begun {}
}
