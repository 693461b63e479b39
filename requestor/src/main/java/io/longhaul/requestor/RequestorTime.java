// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor;

import java.time.Duration;
import java.time.Instant;

/** Time and chance, as a requestor is given them, so that a test needs neither to wait nor to guess. Thread-safe. */
public interface RequestorTime {

    Instant now();

    /** Lets time pass. */
    void pause(Duration duration) throws InterruptedException;

    /** Runs {@code action} once when {@code duration} has passed, unless it was closed before. */
    Registration after(Duration duration, Runnable action);

    /** A number from 0 to below 1, to spread what would else happen at the same moment. */
    double chance();

    /** An id that is used nowhere else, and that nobody can guess. */
    String newId();
}
