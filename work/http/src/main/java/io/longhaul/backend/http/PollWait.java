// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Waits between two requests. */
@FunctionalInterface
interface PollWait {

    /** A semaphore that never has a permit. */
    Semaphore NEVER = new Semaphore(0);

    /**
     * Waits until the time has passed, or until {@code sooner} has a permit; takes all permits.
     *
     * @return whether there was a permit
     */
    boolean pass(Duration time, Semaphore sooner) throws InterruptedException;

    /** Waits in real time. */
    static boolean real(Duration time, Semaphore sooner) throws InterruptedException {
        boolean isSooner = sooner.tryAcquire(time.toNanos(), TimeUnit.NANOSECONDS);
        sooner.drainPermits();
        return isSooner;
    }
}
