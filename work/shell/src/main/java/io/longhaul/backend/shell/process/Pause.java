// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.process;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits between two looks at a job. */
@FunctionalInterface
public interface Pause {

    /** Waits in real time. */
    Pause REAL = (longest, early) -> {
        try {
            early.get(longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException lookAgain) {
            // Both only mean that it is time for the next look.
        }
    };

    /** Returns after {@code longest}, or as soon as {@code early} is done. */
    void await(Duration longest, CompletableFuture<?> early) throws InterruptedException;
}
