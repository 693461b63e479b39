// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.data;

import io.longhaul.engine.store.StoreUnreachableException;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A wait for a store that comes up later than its server. */
final class StoreWait {

    private static final Logger LOG = LoggerFactory.getLogger(StoreWait.class);
    private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(1);

    private final Duration patience;
    private final LongSupplier clock;
    private final Pause pause;

    /** Lets time pass. */
    interface Pause {
        void of(Duration time) throws InterruptedException;
    }

    /** @param clock gives nanoseconds */
    StoreWait(Duration patience, LongSupplier clock, Pause pause) {
        this.patience = patience;
        this.clock = clock;
        this.pause = pause;
    }

    static StoreWait of(Duration patience) {
        return new StoreWait(patience, System::nanoTime, Thread::sleep);
    }

    /**
     * Opens a store, again and again while it cannot be reached.
     *
     * @throws StoreUnreachableException where it cannot be reached after that time
     */
    <S> S open(Supplier<S> store) {
        long begun = clock.getAsLong();
        boolean isTold = false;
        while (true) {
            try {
                return store.get();
            } catch (StoreUnreachableException e) {
                if (clock.getAsLong() - begun >= patience.toNanos()) {
                    throw e;
                }
                if (!isTold) {
                    LOG.warn("{}; the server waits for it up to {} s", e.getMessage(), patience.toSeconds());
                    isTold = true;
                }
                pause(e);
            }
        }
    }

    private void pause(StoreUnreachableException why) {
        try {
            pause.of(BETWEEN_ATTEMPTS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw why;
        }
    }
}
