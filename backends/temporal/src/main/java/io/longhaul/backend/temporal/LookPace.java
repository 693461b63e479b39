// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a workflow is left alone between two looks, or Temporal between two tries. Immutable.
 *
 * @param every    what the author wants, or null for ever longer pauses
 * @param looks    since the workflow was begun or found again
 * @param troubles since the last look that showed something
 */
record LookPace(@Nullable Duration every, int looks, int troubles) {

    private static final Duration FIRST = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(15);
    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);
    private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(1);
    private static final double GROWTH = 1.5;
    private static final double SPREAD = 0.2;

    static LookPace of(@Nullable Duration every) {
        return new LookPace(every, 0, 0);
    }

    LookPace seen() {
        return new LookPace(every, looks + 1, 0);
    }

    LookPace troubled() {
        return new LookPace(every, looks, troubles + 1);
    }

    /** @param chance from 0 to 1, so that workflows which were begun together are not looked at together */
    Duration next(double chance) {
        return Duration.ofNanos((long) (usual().toNanos() * (1 + SPREAD * (chance - 0.5))));
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
}
