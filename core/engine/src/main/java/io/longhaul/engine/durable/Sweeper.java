// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.node.EngineContext;
import io.longhaul.engine.node.FailureLog;
import io.longhaul.engine.store.StoreException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes finished tasks past their retention and expired rows of the row store. */
final class Sweeper {

    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
    private static final Duration PERIOD = Duration.ofMinutes(1);
    private static final int BATCH = 500;

    private final EngineContext parts;
    private TaskTime.@Nullable Alarm next;
    private boolean closed;

    Sweeper(EngineContext parts) {
        this.parts = parts;
    }

    synchronized void schedule() {
        if (!closed) {
            next = parts.time().at(parts.time().now().plus(PERIOD), () -> parts.fork("sweep", this::sweepAndSchedule));
        }
    }

    private void sweepAndSchedule() {
        try {
            sweep();
        } catch (StoreException e) {
            FailureLog.warn(LOG, e, "Nothing could be removed; it is tried again");
        } finally {
            schedule();
        }
    }

    void sweep() {
        var now = parts.time().now();
        int removed;
        do {
            removed = parts.store().sweep(now, BATCH);
        } while (removed == BATCH);
        do {
            removed = parts.store().rows().sweep(now, BATCH);
        } while (removed == BATCH);
    }

    synchronized void close() {
        closed = true;
        if (next != null) {
            next.cancel();
        }
    }
}
