// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * What one thread computes for another one that waits. The waiter cannot be interrupted, since it must learn whether
 * its write is durable; it finds itself interrupted afterwards.
 */
class PendingResult<T> {
    private final CountDownLatch done = new CountDownLatch(1);
    private @Nullable T value;
    private @Nullable Throwable failure;

    final void give(@Nullable T given) {
        value = given;
        done.countDown();
    }

    /** Fails what has no answer yet. Allocates nothing: it has to work when the memory is exhausted, too. */
    final void fail(Throwable why) {
        if (done.getCount() > 0) {
            failure = why;
            done.countDown();
        }
    }

    /**
     * Blocks for the answer.
     *
     * @throws io.longhaul.engine.store.StoreException with the stack of the thread that waited, whatever failed
     */
    final T await(Failures failures) {
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
            throw failures.of(failure);
        }
        return value;
    }
}
