// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.fakes.FakeTime;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The time of servers: it moves by itself, ten times as fast as that of the machine, or when a test says so. */
final class PlaceTime implements AutoCloseable {

    private static final Duration TICK = Duration.ofMillis(100);

    /** A node that does nothing for two seconds, as on a busy machine, is taken for dead by the others. */
    private static final Duration PAUSE = Duration.ofMillis(10);

    private final FakeTime time;
    private final boolean movesByItself;
    private final CountDownLatch closed = new CountDownLatch(1);

    PlaceTime(FakeTime time, boolean movesByItself) {
        this.time = time;
        this.movesByItself = movesByItself;
        if (movesByItself) {
            Thread.ofVirtual().name("clock").start(this::tick);
        }
    }

    private void tick() {
        try {
            while (!closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                time.advance(TICK);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets time pass as soon as a server waits for exactly so much of it, unless time moves by itself. */
    void passWhenAwaited(Duration duration) {
        if (movesByItself) {
            return;
        }
        try {
            time.awaitAlarmIn(duration);
            time.advance(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
