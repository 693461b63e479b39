// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import java.time.Duration;
import java.util.Set;

/**
 * The policy for running a failed command again for the same task. Immutable.
 *
 * @param count     the most repetitions; 0 for none
 * @param backoff   the pause before the second attempt; each later pause is twice as long as the last, but no longer
 *                  than {@link #LONGEST}, unless this pause is longer
 * @param exitCodes the exit codes after which the command is run again; empty for every exit code that means failure
 */
public record Retry(int count, Duration backoff, Set<Integer> exitCodes) {

    /** A command is run once. */
    public static final Retry NEVER = new Retry(0, Duration.ZERO, Set.of());

    /** The ceiling of the backoff. */
    public static final Duration LONGEST = Duration.ofMinutes(5);

    private static final int MOST = 1_000;
    private static final int HIGHEST_EXIT_CODE = 255;

    /** @throws IllegalArgumentException when a value is out of its range, with a sentence that names the value */
    public Retry {
        exitCodes = Set.copyOf(exitCodes);
        if (count < 0 || count > MOST) {
            throw new IllegalArgumentException("a command is retried 0 to " + MOST + " times, not " + count);
        }
        if (backoff.isNegative()) {
            throw new IllegalArgumentException("the backoff must not be negative: " + backoff);
        }
        if (exitCodes.stream().anyMatch(code -> code < 0 || code > HIGHEST_EXIT_CODE)) {
            throw new IllegalArgumentException("exit codes go from 0 to 255: " + exitCodes);
        }
    }

    /** Whether another attempt follows the {@code attempt}th, which has failed with {@code exitCode}. */
    boolean follows(int attempt, int exitCode) {
        return attempt <= count && (exitCodes.isEmpty() || exitCodes.contains(exitCode));
    }

    /** The pause after the {@code attempt}th attempt. */
    Duration pauseAfter(int attempt) {
        var pause = backoff;
        for (int i = 1; i < attempt && pause.compareTo(LONGEST) < 0; i++) {
            pause = pause.multipliedBy(2);
        }
        return pause.compareTo(longest()) > 0 ? longest() : pause;
    }

    /** The longest pause between two attempts. */
    Duration longest() {
        return backoff.compareTo(LONGEST) > 0 ? backoff : LONGEST;
    }
}
