// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.Require;
import java.time.Duration;

/**
 * How long a client may cache a response. Only clients of 2026-07-28 get this hint. Immutable.
 *
 * @param ttl    how long the response stays fresh; zero where the client must ask each time
 * @param shared whether a cache may give the response to other callers: never set this for a response that depends on
 *               the caller
 */
public record Caching(Duration ttl, boolean shared) {

    /** The client must ask each time. */
    public static final Caching NEVER = new Caching(Duration.ZERO, false);

    /** One minute, for the caller alone. */
    public static final Caching DEFAULT = new Caching(Duration.ofMinutes(1), false);

    public Caching {
        Require.that(!ttl.isNegative(), "nothing stays fresh for " + ttl);
    }

    /** For the caller alone. */
    public static Caching privateScope(Duration time) {
        return new Caching(time, false);
    }

    /** For all callers. */
    public static Caching publicScope(Duration time) {
        return new Caching(time, true);
    }
}
