// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import java.time.Duration;

/**
 * How often work that fails is run again for the same task. Immutable.
 *
 * @param count   the most repetitions; 0 for none
 * @param backoff the pause before the first repetition; each later pause is twice as long as the last, but no longer
 *                than {@link #LONGEST}, unless this pause is longer
 */
public record Retry(int count, Duration backoff) {

    /** Work is run once. */
    public static final Retry NEVER = new Retry(0, Duration.ZERO);

    /** The ceiling of the backoff. */
    public static final Duration LONGEST = Duration.ofMinutes(5);

    private static final int MOST = 1_000;

    /** @throws IllegalArgumentException when a value is out of its range, with a sentence that names the value */
    public Retry {
        if (count < 0 || count > MOST) {
            throw new IllegalArgumentException("work is retried 0 to " + MOST + " times, not " + count);
        }
        if (backoff.isNegative()) {
            throw new IllegalArgumentException("the backoff must not be negative: " + backoff);
        }
    }

    /** The pause after the {@code failures}th failure. */
    public Duration pauseAfter(int failures) {
        var pause = backoff;
        for (int i = 1; i < failures && pause.compareTo(LONGEST) < 0; i++) {
            pause = pause.multipliedBy(2);
        }
        return pause.compareTo(longest()) > 0 ? longest() : pause;
    }

    /** The longest pause between two attempts. */
    public Duration longest() {
        return backoff.compareTo(LONGEST) > 0 ? backoff : LONGEST;
    }

    /** What is told of a failure in the pause after it. */
    public String told(int failures, String what) {
        return "Attempt " + failures + " of at most " + (count + 1) + " " + what + "; the next one begins in "
                + MessageText.time(pauseAfter(failures)) + ".";
    }
}
