// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.node;

import io.longhaul.engine.store.StoreException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats actions that failed in the store, after ever longer pauses, until the action succeeds or the engine stops.
 */
public record StoreRetries(EngineContext parts, BooleanSupplier closing) {

    private static final Logger LOG = LoggerFactory.getLogger(StoreRetries.class);
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** Runs the action on this thread, and again {@link #later} where the store failed. */
    public void now(String name, Runnable action) {
        try {
            action.run();
        } catch (StoreException e) {
            FailureLog.error(LOG, e, "{}: the store failed; it is tried again", name);
            later(name, action);
        }
    }

    /** Runs the action on a thread of its own, until the action throws no {@link StoreException}. */
    public void later(String name, Runnable action) {
        later(name, action, FIRST);
    }

    /** As {@link #later(String, Runnable)}, with {@code pause} as the first pause. */
    public void later(String name, Runnable action, Duration pause) {
        parts.time().at(parts.time().now().plus(pause), () -> parts.fork(name, () -> attempt(name, action, pause)));
    }

    private void attempt(String name, Runnable action, Duration pause) {
        if (closing.getAsBoolean()) {
            return;
        }
        try {
            action.run();
        } catch (StoreException e) {
            var next = pause.multipliedBy(2);
            FailureLog.warn(LOG, e, "{}: the store still fails; it is tried again", name);
            later(name, action, next.compareTo(LONGEST) > 0 ? LONGEST : next);
        }
    }
}
