// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lock that runs actions one at a time. An action may run further actions under the same lock. A virtual thread that
 * waits for this lock is parked; a wait for a monitor would pin its carrier thread on JDK 21.
 */
public final class Guard extends ReentrantLock {

    private static final long serialVersionUID = 1L;

    /** Runs an action under the lock, and returns its value. */
    public <T extends @Nullable Object> T get(Supplier<T> action) {
        lock();
        try {
            return action.get();
        } finally {
            unlock();
        }
    }

    /** Runs an action under the lock. */
    public void run(Runnable action) {
        lock();
        try {
            action.run();
        } finally {
            unlock();
        }
    }
}
