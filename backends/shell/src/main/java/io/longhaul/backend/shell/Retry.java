// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import java.time.Duration;
import java.util.Set;

/**
 * When a command that has failed is run again for the same task. Immutable.
 *
 * @param count     how often it is run again at most; 0 for never
 * @param backoff   how long the task waits before the second attempt; before each later one twice as long as before the
 *                  last, but no longer than {@link #LONGEST}, unless this is longer
 * @param exitCodes those after which it is run again; empty for every one that means failure
 */
public record Retry(int count, Duration backoff, Set<Integer> exitCodes) {

    /** A command is run once. */
    public static final Retry NEVER = new Retry(0, Duration.ZERO, Set.of());

    /** The ceiling of the backoff. */
    public static final Duration LONGEST = Duration.ofMinutes(5);

    private static final int MOST = 1_000;
    private static final int HIGHEST_EXIT_CODE = 255;

    /** @throws IllegalArgumentException when a value is out of its range, with a sentence that says which */
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

    /** Whether the {@code attempt}th, which has failed with {@code exitCode}, is followed by another one. */
    boolean follows(int attempt, int exitCode) {
        return attempt <= count && (exitCodes.isEmpty() || exitCodes.contains(exitCode));
    }

    /** How long the task waits behind the {@code attempt}th. */
    Duration pauseAfter(int attempt) {
        var pause = backoff;
        for (int i = 1; i < attempt && pause.compareTo(LONGEST) < 0; i++) {
            pause = pause.multipliedBy(2);
        }
        return pause.compareTo(longest()) > 0 ? longest() : pause;
    }

    /** The longest pause there is. */
    Duration longest() {
        return backoff.compareTo(LONGEST) > 0 ? backoff : LONGEST;
    }
}
