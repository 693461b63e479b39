// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.command;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Waits for a server or a database that comes up later.
 *
 * @param longest the longest wait; zero for one attempt
 * @param clock   gives nanoseconds
 */
public record Patience(Duration longest, LongSupplier clock, Pause pause) {
    private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(1);

    /** Lets time pass. */
    @FunctionalInterface
    public interface Pause {
        void of(Duration time) throws InterruptedException;
    }

    public static Patience of(Duration longest) {
        return new Patience(longest, System::nanoTime, Thread::sleep);
    }

    /**
     * Opens something, again and again while it cannot be reached.
     *
     * @param away the type of the exception that says so, which is thrown where the wait is over
     * @param told is given the first of these exceptions when a wait begins
     */
    public <T, E extends RuntimeException> T open(Supplier<T> attempt, Class<E> away, Consumer<E> told) {
        long begun = clock.getAsLong();
        for (boolean isTold = false; ; isTold = true) {
            try {
                return attempt.get();
            } catch (RuntimeException e) {
                var left = longest.minusNanos(clock.getAsLong() - begun);
                if (!away.isInstance(e) || !left.isPositive()) {
                    throw e;
                }
                if (!isTold) {
                    told.accept(away.cast(e));
                }
                pause(left.compareTo(BETWEEN_ATTEMPTS) < 0 ? left : BETWEEN_ATTEMPTS, e);
            }
        }
    }

    private void pause(Duration time, RuntimeException why) {
        try {
            pause.of(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw why;
        }
    }
}
