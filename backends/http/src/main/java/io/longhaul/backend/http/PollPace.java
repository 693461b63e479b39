// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How long a job is left alone between two looks. Immutable.
 *
 * @param every    what its author wants, or null for ever longer pauses
 * @param looks    at the job since it was begun or found again
 * @param troubles looks since the last one that showed something
 */
record PollPace(@Nullable Duration every, int looks, int troubles) {

    private static final Duration FIRST = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(15);
    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);
    private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(1);
    private static final double GROWTH = 1.5;
    private static final double SPREAD = 0.2;

    static PollPace of(@Nullable Duration every) {
        return new PollPace(every, 0, 0);
    }

    PollPace seen() {
        return new PollPace(every, looks + 1, 0);
    }

    PollPace troubled() {
        return new PollPace(every, looks, troubles + 1);
    }

    /**
     * The next pause.
     *
     * @param asked  what the API asks for: never less than that
     * @param chance from 0 to 1, so that jobs which were begun together are not looked at together
     */
    Duration next(Optional<Duration> asked, double chance) {
        var usual = spread(usual(), chance);
        return asked.filter(wait -> troubles == 0 || wait.compareTo(usual) > 0)
                .map(wait -> wait.plus(spread(wait, chance).minus(wait).abs()))
                .orElse(usual);
    }

    private Duration usual() {
        if (troubles > 0) {
            return grown(FIRST_BACKOFF, 2, troubles - 1, LONGEST_BACKOFF);
        }
        return every != null ? every : grown(FIRST, GROWTH, looks, LONGEST);
    }

    private static Duration grown(Duration first, double factor, int times, Duration longest) {
        double millis = first.toMillis() * Math.pow(factor, times);
        return millis < longest.toMillis() ? Duration.ofMillis((long) millis) : longest;
    }

    private static Duration spread(Duration pause, double chance) {
        return Duration.ofNanos((long) (pause.toNanos() * (1 + SPREAD * (chance - 0.5))));
    }
}
