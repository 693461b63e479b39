// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Durations since the last reading, of which percentiles are told to within a sixth: each doubling of a time is divided
 * into four parts, so that memory is the same however many there are. Thread-safe.
 */
final class Durations {

    private static final int PARTS = 4;
    private static final int DOUBLINGS = 45;

    private final AtomicLongArray counts = new AtomicLongArray(PARTS * DOUBLINGS);

    /**
     * What there was.
     *
     * @param median in milliseconds; NaN where there was nothing
     * @param most   in milliseconds, what 95 of 100 did not take longer than; NaN where there was nothing
     */
    record Reading(long count, double median, double most) {}

    void add(Duration took) {
        double micros = Math.max(1, took.toNanos() / 1e3);
        int place = (int) (Math.log(micros) / Math.log(2) * PARTS);
        counts.incrementAndGet(Math.min(place, counts.length() - 1));
    }

    /** Reads, and begins anew. */
    Reading read() {
        var taken = new long[counts.length()];
        long count = 0;
        for (int i = 0; i < taken.length; i++) {
            taken[i] = counts.getAndSet(i, 0);
            count += taken[i];
        }
        return new Reading(count, percentile(taken, count, 0.5), percentile(taken, count, 0.95));
    }

    private static double percentile(long[] taken, long count, double share) {
        long left = (long) Math.ceil(count * share);
        for (int i = 0; i < taken.length && left > 0; i++) {
            left -= taken[i];
            if (left <= 0) {
                return Math.pow(2, (i + 0.5) / PARTS) / 1e3;
            }
        }
        return Double.NaN;
    }
}
