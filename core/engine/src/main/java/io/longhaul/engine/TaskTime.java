// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine;

import java.time.Instant;

/** The clock and the alarms of an engine; an interface, so that a test can move time by hand. Thread-safe. */
public interface TaskTime {

    Instant now();

    /** Runs {@code action} once, at or soon after {@code when}, on a thread that it must not block. */
    Alarm at(Instant when, Runnable action);

    /** A pending action. */
    interface Alarm {
        /** Cancels the action unless it has begun. */
        void cancel();
    }
}
