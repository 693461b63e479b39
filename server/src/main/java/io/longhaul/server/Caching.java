package io.longhaul.server;

import io.longhaul.protocol.call.Freshness;
import java.time.Duration;

/**
 * How long a client may keep what it was given, which clients of 2026-07-28 are told. Immutable.
 *
 * @param time   how long it stays fresh; zero where it must be asked for each time
 * @param shared whether it is the same for every caller, so that a cache may give it to others: never say so of what
 *               depends on who asks
 */
public record Caching(Duration time, boolean shared) {

    /** It must be asked for each time. */
    public static final Caching NEVER = new Caching(Duration.ZERO, false);

    /** A minute, for the caller alone. */
    public static final Caching DEFAULT = new Caching(Duration.ofMinutes(1), false);

    public Caching {
        if (time.isNegative()) {
            throw new IllegalArgumentException("nothing stays fresh for " + time);
        }
    }

    /** For the caller alone. */
    public static Caching forCaller(Duration time) {
        return new Caching(time, false);
    }

    /** For everybody. */
    public static Caching forAll(Duration time) {
        return new Caching(time, true);
    }

    Freshness freshness() {
        return new Freshness(time, shared);
    }
}
