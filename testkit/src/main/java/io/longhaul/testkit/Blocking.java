package io.longhaul.testkit;

import java.util.concurrent.CountDownLatch;

/** Waits in places of a test that cannot throw {@link InterruptedException}. */
public final class Blocking {

    private Blocking() {}

    /** Waits for a latch. */
    public static void await(CountDownLatch latch) {
        uninterrupted(latch::await);
    }

    /** Waits for the end of a thread. */
    public static void join(Thread thread) {
        uninterrupted(thread::join);
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
