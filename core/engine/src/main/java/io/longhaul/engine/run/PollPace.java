// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The pauses between two looks of a backend at a job, and between two tries to reach the system that runs the job.
 * Immutable.
 *
 * @param every    the pause that the author of the job wants, or null for ever longer pauses
 * @param longest  the longest pause
 * @param looks    the number of looks since the job was begun or found again, or since the last callback; with
 *                 {@code every} the count begins behind the short pauses, which follow a callback alone
 * @param troubles the number of failed looks since the last successful look
 */
public record PollPace(@Nullable Duration every, Duration longest, int looks, int troubles) {

    /** The shortest pause before a look that the system asks for, by a callback or by the pause that it wants. */
    public static final Duration LEAST = Duration.ofMillis(500);

    private static final Duration FIRST = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(15);
    private static final Duration LONGEST_BESIDE_CALLBACKS = Duration.ofMinutes(5);
    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);
    private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(1);
    private static final double GROWTH = 1.5;

    /** The number of looks after a callback that come sooner than the author wants. */
    private static final int AFTER_CALLBACK = 5;

    private static final double SPREAD = 0.2;

    /** The pace for a job whose system does not call back. */
    public static PollPace of(@Nullable Duration every) {
        return new PollPace(every, LONGEST, every == null ? 0 : AFTER_CALLBACK, 0);
    }

    /**
     * The pace for a job whose system calls back: looks only make up for lost callbacks. With {@code every} there is no
     * other look before the first callback.
     */
    public static PollPace besideCallbacks(@Nullable Duration every) {
        return new PollPace(every, LONGEST_BESIDE_CALLBACKS, every == null ? 0 : AFTER_CALLBACK, 0);
    }

    /** The pace after a successful look. */
    public PollPace seen() {
        return new PollPace(every, longest, looks + 1, 0);
    }

    /** The pace after a failed look. */
    public PollPace troubled() {
        return new PollPace(every, longest, looks, troubles + 1);
    }

    /**
     * The pace after a callback: the next looks come soon, because some systems call back before they show the change.
     */
    public PollPace calledBack() {
        return new PollPace(every, longest, 0, troubles);
    }

    /** The next pause where the system asks for none. */
    public Duration next(double chance) {
        return next(Optional.empty(), chance);
    }

    /**
     * The next pause.
     *
     * @param asked  the pause that the system asks for; the result is never shorter. A system that asks for none gets
     *               {@link #LEAST}, or the shorter pause that the author wants.
     * @param chance a random number from 0 to 1, which spreads the looks at jobs that were begun together
     */
    public Duration next(Optional<Duration> asked, double chance) {
        var usual = spread(usual(), chance);
        boolean isLeast = troubles > 0 || looks > 0 && longest.equals(LONGEST_BESIDE_CALLBACKS);
        var least = usual.compareTo(LEAST) < 0 ? usual : LEAST;
        return asked.map(wait -> wait.compareTo(least) < 0 ? least : wait)
                .filter(wait -> !isLeast || wait.compareTo(usual) > 0)
                .map(wait -> wait.plus(spread(wait, chance).minus(wait).abs()))
                .orElse(usual);
    }

    private Duration usual() {
        if (troubles > 0) {
            return grown(FIRST_BACKOFF, 2, troubles - 1, LONGEST_BACKOFF);
        }
        return every != null && looks >= AFTER_CALLBACK
                ? every
                : grown(FIRST, GROWTH, looks, every != null ? every : longest);
    }

    private static Duration grown(Duration first, double factor, int times, Duration longest) {
        double millis = first.toMillis() * Math.pow(factor, times);
        return millis < longest.toMillis() ? Duration.ofMillis((long) millis) : longest;
    }

    private static Duration spread(Duration pause, double chance) {
        return Duration.ofNanos((long) (pause.toNanos() * (1 + SPREAD * (chance - 0.5))));
    }
}
