// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How long a backend leaves a job alone between two looks at it, or the system that runs the job between two tries.
 * Immutable.
 *
 * @param every    what the author of the job wants, or null for ever longer pauses
 * @param longest  where they end
 * @param looks    at the job since it was begun or found again
 * @param troubles looks since the last one that showed something
 */
public record LookPace(@Nullable Duration every, Duration longest, int looks, int troubles) {

    /** Before a look that a callback has asked for. */
    public static final Duration LEAST = Duration.ofMillis(500);

    private static final Duration FIRST = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(15);
    private static final Duration LONGEST_BESIDE_CALLBACKS = Duration.ofMinutes(5);
    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);
    private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(1);
    private static final double GROWTH = 1.5;
    private static final double SPREAD = 0.2;

    /** Of a job that says nothing by itself. */
    public static LookPace of(@Nullable Duration every) {
        return new LookPace(every, LONGEST, 0, 0);
    }

    /** Of a job whose system calls back: only a lost callback makes a look late. */
    public static LookPace besideCallbacks(@Nullable Duration every) {
        return new LookPace(every, LONGEST_BESIDE_CALLBACKS, 0, 0);
    }

    /** After a look that showed something. */
    public LookPace seen() {
        return new LookPace(every, longest, looks + 1, 0);
    }

    /** After a look that showed nothing. */
    public LookPace troubled() {
        return new LookPace(every, longest, looks, troubles + 1);
    }

    /** After a callback there is something new soon, if not at once: some systems call before they show it. */
    public LookPace calledBack() {
        return new LookPace(every, longest, 0, troubles);
    }

    /** The next pause where the system asks for none. */
    public Duration next(double chance) {
        return next(Optional.empty(), chance);
    }

    /**
     * The next pause.
     *
     * @param asked  what the system asks for: never less than that
     * @param chance from 0 to 1, so that jobs which were begun together are not looked at together
     */
    public Duration next(Optional<Duration> asked, double chance) {
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
