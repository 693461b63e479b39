// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine;

import java.time.Instant;

/** Time, as the engine is given it: the clock and the alarms, so that a test can move both by hand. Thread-safe. */
public interface TaskTime {

    Instant now();

    /** Runs {@code action} once, at or soon after {@code when}, on a thread that it must not block. */
    Alarm at(Instant when, Runnable action);

    /** A pending action. */
    interface Alarm {
        /** Forgets the action unless it has begun. */
        void cancel();
    }
}
