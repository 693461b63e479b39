// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import java.time.Duration;

/**
 * How long a client may keep what it was given, in the generations that say so.
 *
 * @param time   how long it stays fresh; zero where it must be asked for each time
 * @param shared whether it is the same for every caller, so that a cache may give it to others
 */
public record Freshness(Duration time, boolean shared) {

    /** A minute, for the caller alone: subscribers are told of what changes sooner. */
    public static final Freshness DEFAULT = new Freshness(Duration.ofMinutes(1), false);

    /** Never kept. */
    public static final Freshness NONE = new Freshness(Duration.ZERO, false);

    public Freshness {
        if (time.isNegative()) {
            throw new IllegalArgumentException("nothing stays fresh for " + time);
        }
    }
}
