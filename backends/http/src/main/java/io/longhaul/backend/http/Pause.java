// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits between two requests. */
@FunctionalInterface
interface Pause {

    /** Waits in real time. */
    Pause REAL = (longest, early) -> {
        try {
            early.get(longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException lookAgain) {
            // Both only mean that it is time for the next request.
        }
    };

    /** Returns after {@code longest}, or as soon as {@code early} is done. */
    void await(Duration longest, CompletableFuture<?> early) throws InterruptedException;
}
