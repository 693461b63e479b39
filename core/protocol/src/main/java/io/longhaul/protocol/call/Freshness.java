// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import io.longhaul.protocol.Require;
import java.time.Duration;

/**
 * How long a client may cache an answer, in the generations that have caching hints.
 *
 * @param time   how long the answer stays fresh; zero where the client must ask each time
 * @param shared whether the answer is the same for every caller, so that a shared cache may store it
 */
public record Freshness(Duration time, boolean shared) {

    /** A minute, for the caller alone. Subscribers are notified of changes sooner. */
    public static final Freshness DEFAULT = new Freshness(Duration.ofMinutes(1), false);

    /** Never cached. */
    public static final Freshness NONE = new Freshness(Duration.ZERO, false);

    public Freshness {
        Require.that(!time.isNegative(), "nothing stays fresh for " + time);
    }
}
