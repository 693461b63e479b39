// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.call.Freshness;
import java.time.Duration;

/**
 * How long a client may keep what it was given, which clients of 2026-07-28 are told. Immutable.
 *
 * @param ttl    how long it stays fresh; zero where it must be asked for each time
 * @param shared whether it is the same for every caller, so that a cache may give it to others: never say so of what
 *               depends on the caller
 */
public record Caching(Duration ttl, boolean shared) {

    /** It must be asked for each time. */
    public static final Caching NEVER = new Caching(Duration.ZERO, false);

    /** A minute, for the caller alone. */
    public static final Caching DEFAULT = new Caching(Duration.ofMinutes(1), false);

    public Caching {
        if (ttl.isNegative()) {
            throw new IllegalArgumentException("nothing stays fresh for " + ttl);
        }
    }

    /** For the caller alone. */
    public static Caching privateScope(Duration time) {
        return new Caching(time, false);
    }

    /** For everybody. */
    public static Caching publicScope(Duration time) {
        return new Caching(time, true);
    }

    Freshness freshness() {
        return new Freshness(ttl, shared);
    }
}
