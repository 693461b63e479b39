// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor;

import java.time.Duration;
import java.time.Instant;

/**
 * The source of time, random numbers and ids for a requestor. A test replaces it, so that it needs neither to wait nor
 * to guess. Thread-safe.
 */
public interface RequestorTime {

    Instant now();

    /** The time since a fixed moment. Unlike {@link #now}, it does not change when somebody sets the clock. */
    default Duration elapsed() {
        return Duration.between(Instant.EPOCH, now());
    }

    /** Waits for this time. */
    void pause(Duration duration) throws InterruptedException;

    /** Runs {@code action} once after {@code duration}, unless the registration was closed before. */
    Registration after(Duration duration, Runnable action);

    /** A random number from 0 to below 1, which spreads actions that would otherwise coincide. */
    double chance();

    /** A globally unique id that cannot be guessed. */
    String newId();
}
