// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A result that one thread computes while another thread waits. An interrupt does not end the wait, as the thread must
 * learn whether its write is durable; the interrupt flag is set again afterwards.
 */
class PendingResult<T> {
    private final CountDownLatch done = new CountDownLatch(1);
    private @Nullable T value;
    private @Nullable Throwable failure;

    final void give(@Nullable T given) {
        value = given;
        done.countDown();
    }

    /**
     * Fails the result unless it was given already. Allocates nothing, so that this also works when the memory is
     * exhausted.
     */
    final void fail(Throwable why) {
        if (done.getCount() > 0) {
            failure = why;
            done.countDown();
        }
    }

    /**
     * Blocks until the result comes, and gives it.
     *
     * @throws io.longhaul.engine.store.StoreException for any failure, with the stack trace of the waiting thread
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
