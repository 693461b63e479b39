// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Wakes tests that wait when something may have changed. Thread-safe. */
final class News {

    /**
     * The pause between two looks: a change may be visible a moment after its news, such as a snapshot after its
     * commit.
     */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

    private final Duration patience;
    private long told;

    /** @param patience how long a wait may take in real time */
    News(Duration patience) {
        this.patience = patience;
    }

    synchronized void tell() {
        told++;
        notifyAll();
    }

    /** Calls {@code look} at once and after each news, until it gives a value; empty where that takes too long. */
    <T> Optional<T> await(Supplier<Optional<T>> look) {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            long before = told();
            var seen = look.get();
            if (seen.isPresent() || System.nanoTime() >= end) {
                return seen;
            }
            try {
                await(before);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("the test was interrupted", e);
            }
        }
    }

    synchronized long told() {
        return told;
    }

    /** Waits for a moment, or until there is more news than {@code before}. */
    synchronized void await(long before) throws InterruptedException {
        long end = System.nanoTime() + LOOK_AGAIN.toNanos();
        for (long left = end - System.nanoTime(); told == before && left > 0; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    Duration patience() {
        return patience;
    }
}
