// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A rate limit that allows a number of messages at once, and then one in each interval. A server limits what it sends
 * about a call; a client limits what it accepts about a call, since it trusts no server to do so. Not thread-safe.
 */
public final class Pace {

    /** How many log lines of one call are passed on at once. */
    static final int LOGS_AT_ONCE = 100;

    /** How many log lines of one call are passed on in a second after those. */
    static final int LOGS_PER_SECOND = 20;

    /** How many progress notifications of one call are sent at once. */
    static final int PROGRESS_AT_ONCE = 20;

    /** How many progress notifications of one call are sent in a second after those. */
    static final int PROGRESS_PER_SECOND = 10;

    /** How many questions of a server that belong to no task are accepted at once. */
    static final int QUESTIONS_AT_ONCE = 100;

    /** How many questions of a server that belong to no task are accepted in a second after those. */
    static final int QUESTIONS_PER_SECOND = 1;

    private static final long SECOND = 1_000_000_000;

    private final Duration atOnce;
    private final Duration each;
    private @Nullable Instant full;

    private Pace(int atOnce, int perSecond) {
        long nanos = SECOND / perSecond;
        each = Duration.ofNanos(nanos);
        this.atOnce = Duration.ofNanos(nanos * atOnce);
    }

    public static Pace ofLogs() {
        return new Pace(LOGS_AT_ONCE, LOGS_PER_SECOND);
    }

    public static Pace ofProgress() {
        return new Pace(PROGRESS_AT_ONCE, PROGRESS_PER_SECOND);
    }

    public static Pace ofQuestions() {
        return new Pace(QUESTIONS_AT_ONCE, QUESTIONS_PER_SECOND);
    }

    /** Whether the rate allows one more message at {@code now}. An allowed message is counted. */
    public boolean takes(Instant now) {
        Instant latest = now.plus(atOnce);
        // The time lies after the latest one only where the clock was set back.
        boolean isNew = full == null || full.isBefore(now) || full.isAfter(latest);
        Instant next = (isNew ? now : full).plus(each);
        if (next.isAfter(latest)) {
            return false;
        }
        full = next;
        return true;
    }
}
