// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A result that one thread computes while another thread waits. An interrupt does not end the wait, as the thread must
 * learn whether its write is durable; the interrupt flag is set again afterwards.
 */
class PendingResult<T> {
    private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
    private @Nullable T value;
    private @Nullable Throwable failure;

    final void give(@Nullable T given) {
        value = given;
        done.complete(null);
    }

    /**
     * Fails the result unless it was given already. Allocates nothing, so that this also works when the memory is
     * exhausted.
     */
    final void fail(Throwable why) {
        if (!done.isDone()) {
            failure = why;
            done.complete(null);
        }
    }

    /**
     * Blocks until the result comes, and gives it.
     *
     * @throws io.longhaul.engine.store.StoreException for any failure, with the stack trace of the waiting thread
     */
    final T await(Failures failures) {
        done.join();
        if (failure != null) {
            throw failures.of(failure);
        }
        return value;
    }
}
