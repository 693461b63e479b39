// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.codec;

import java.time.Instant;

/** Converts times to columns: nanoseconds since 1970. A time beyond that range becomes the end of the range. */
public final class Times {
    private static final long NANOS = 1_000_000_000;
    private static final long LAST_SECOND = Long.MAX_VALUE / NANOS - 1;

    private Times() {}

    public static long toColumn(Instant instant) {
        if (instant.getEpochSecond() > LAST_SECOND) {
            return Long.MAX_VALUE;
        }
        if (instant.getEpochSecond() < -LAST_SECOND) {
            return Long.MIN_VALUE;
        }
        return instant.getEpochSecond() * NANOS + instant.getNano();
    }

    public static Instant fromColumn(long nanos) {
        return Instant.ofEpochSecond(Math.floorDiv(nanos, NANOS), Math.floorMod(nanos, NANOS));
    }
}
