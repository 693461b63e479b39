// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Passes the time between two requests. */
@FunctionalInterface
interface Sleep {

    /** What never has a permit. */
    Semaphore NEVER = new Semaphore(0);

    /**
     * Returns when so much time has passed, or sooner when there is a permit, of which it takes all.
     *
     * @return whether there was one
     */
    boolean pass(Duration time, Semaphore sooner) throws InterruptedException;

    /** By the clock of this machine. */
    static boolean real(Duration time, Semaphore sooner) throws InterruptedException {
        boolean isSooner = sooner.tryAcquire(time.toNanos(), TimeUnit.NANOSECONDS);
        sooner.drainPermits();
        return isSooner;
    }
}
