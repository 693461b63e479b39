// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.request;

import io.longhaul.protocol.Guard;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;

/** Counts requests that are under way, so that the end of a server can wait for them. Thread-safe. */
public final class Ongoing {

    private final Guard lock = new Guard();
    private final Condition none = lock.newCondition();
    private int count;

    public void begin() {
        lock.run(() -> count++);
    }

    public void end() {
        lock.run(() -> {
            if (--count == 0) {
                none.signalAll();
            }
        });
    }

    /** Waits until nothing is under way, and gives the rest of the time; empty where that takes longer. */
    public Optional<Duration> awaitNone(Duration longest) {
        lock.lock();
        try {
            long left = longest.toNanos();
            while (count > 0 && left > 0) {
                left = none.awaitNanos(left);
            }
            return count == 0 ? Optional.of(Duration.ofNanos(Math.max(left, 0))) : Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }
}
