// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How long a job is left alone between two looks. Immutable.
 *
 * @param every    what its author wants, or null for ever longer pauses
 * @param longest  where they end
 * @param looks    at the job since it was begun or found again
 * @param troubles looks since the last one that showed something
 */
record PollPace(@Nullable Duration every, Duration longest, int looks, int troubles) {

    /** Before a look that a callback has asked for. */
    static final Duration LEAST = Duration.ofMillis(500);

    private static final Duration FIRST = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(15);
    private static final Duration LONGEST_BESIDE_CALLBACKS = Duration.ofMinutes(5);
    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);
    private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(1);
    private static final double GROWTH = 1.5;
    private static final double SPREAD = 0.2;

    static PollPace of(@Nullable Duration every) {
        return new PollPace(every, LONGEST, 0, 0);
    }

    /** Of a job that the API calls back for: only a lost callback makes a look late. */
    static PollPace besideCallbacks(@Nullable Duration every) {
        return new PollPace(every, LONGEST_BESIDE_CALLBACKS, 0, 0);
    }

    PollPace seen() {
        return new PollPace(every, longest, looks + 1, 0);
    }

    PollPace troubled() {
        return new PollPace(every, longest, looks, troubles + 1);
    }

    /** After a callback there is something new soon, if not at once: some APIs call before they show it. */
    PollPace calledBack() {
        return new PollPace(every, longest, 0, troubles);
    }

    /**
     * The next pause.
     *
     * @param asked  what the API asks for: never less than that
     * @param chance from 0 to 1, so that jobs which were begun together are not looked at together
     */
    Duration next(Optional<Duration> asked, double chance) {
        var usual = spread(usual(), chance);
        boolean isLeast = troubles > 0 || looks > 0 && longest.equals(LONGEST_BESIDE_CALLBACKS);
        return asked.filter(wait -> !isLeast || wait.compareTo(usual) > 0)
                .map(wait -> wait.plus(spread(wait, chance).minus(wait).abs()))
                .orElse(usual);
    }

    private Duration usual() {
        if (troubles > 0) {
            return grown(FIRST_BACKOFF, 2, troubles - 1, LONGEST_BACKOFF);
        }
        return every != null ? every : grown(FIRST, GROWTH, looks, longest);
    }

    private static Duration grown(Duration first, double factor, int times, Duration longest) {
        double millis = first.toMillis() * Math.pow(factor, times);
        return millis < longest.toMillis() ? Duration.ofMillis((long) millis) : longest;
    }

    private static Duration spread(Duration pause, double chance) {
        return Duration.ofNanos((long) (pause.toNanos() * (1 + SPREAD * (chance - 0.5))));
    }
}
