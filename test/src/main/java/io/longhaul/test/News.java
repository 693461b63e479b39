// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Wakes tests that wait when something may have changed. Thread-safe. */
final class News {

    /** What is seen may come about a moment after it was told, such as in a snapshot that is shown after its commit. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

    private final Duration patience;
    private long told;

    /** @param patience how long a wait may take of real time */
    News(Duration patience) {
        this.patience = patience;
    }

    synchronized void tell() {
        told++;
        notifyAll();
    }

    /** Looks at once and at all news, until there is something; empty where that takes too long. */
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

    /** Waits for a moment, or for news since that many were told. */
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
