package io.longhaul.store.jdbc;

import io.longhaul.engine.store.StoreException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * What one thread computes for another one that waits. The waiter cannot be interrupted, since it must learn whether
 * its write is durable; it finds itself interrupted afterwards.
 */
class Answer<T> {
    private final CountDownLatch done = new CountDownLatch(1);
    private @Nullable T value;
    private @Nullable RuntimeException failure;

    final void give(@Nullable T given) {
        value = given;
        done.countDown();
    }

    final void fail(RuntimeException why) {
        failure = why;
        done.countDown();
    }

    /** Blocks for the answer; a failure comes with the stack of the thread that waited. */
    final T await() {
        var interrupted = false;
        while (true) {
            try {
                done.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure != null) {
            throw asSeenHere(failure);
        }
        return value;
    }

    private static RuntimeException asSeenHere(RuntimeException failure) {
        return failure instanceof StoreException
                ? new StoreException(String.valueOf(failure.getMessage()), failure)
                : new IllegalStateException("a task store failed", failure);
    }
}
