// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fakes;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits in code of a test that cannot throw {@link InterruptedException}. */
public final class Blocking {

    static final long TIMEOUT_SECONDS = 20;

    private Blocking() {}

    /** Waits for a latch. */
    public static void await(CountDownLatch latch) {
        uninterrupted(latch::await);
    }

    /** Waits for the end of a thread. */
    public static void join(Thread thread) {
        uninterrupted(thread::join);
    }

    /**
     * Takes the next element of a queue.
     *
     * @throws AssertionError when no element comes for 20 seconds
     */
    public static <T> T take(BlockingQueue<T> queue) {
        try {
            T next = queue.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("nothing came for " + TIMEOUT_SECONDS + " s");
            }
            return next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private static void uninterrupted(Wait wait) {
        try {
            wait.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private interface Wait {
        void run() throws InterruptedException;
    }
}
