// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.store.StoreException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tries again what the store could not take, after ever longer pauses, until it does or the engine stops. */
record Retries(EngineContext parts, BooleanSupplier closing) {

    private static final Logger LOG = LoggerFactory.getLogger(Retries.class);
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** Does the action on this thread, and {@link #later} where the store could not take it. */
    void now(String name, Runnable action) {
        try {
            action.run();
        } catch (StoreException e) {
            Trouble.error(LOG, e, "{}: the store failed; it is tried again", name);
            later(name, action);
        }
    }

    /** Does the action on a thread of its own, until it throws no {@link StoreException}. */
    void later(String name, Runnable action) {
        later(name, action, FIRST);
    }

    /** The same, after {@code pause}. */
    void later(String name, Runnable action, Duration pause) {
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
            Trouble.warn(LOG, e, "{}: the store still fails; it is tried again", name);
            later(name, action, next.compareTo(LONGEST) > 0 ? LONGEST : next);
        }
    }
}
