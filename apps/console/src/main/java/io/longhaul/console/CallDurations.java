// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A histogram of durations since the last reading, with percentiles exact to a sixth. Each doubling of a duration is
 * divided into four buckets, so that the histogram has a constant size. Thread-safe.
 */
final class CallDurations {

    private static final int PARTS = 4;
    private static final int DOUBLINGS = 45;

    private final AtomicLongArray counts = new AtomicLongArray(PARTS * DOUBLINGS);

    /**
     * The durations since the last reading.
     *
     * @param median the median in milliseconds; NaN for no durations
     * @param most   the 95th percentile in milliseconds; NaN for no durations
     */
    record Reading(long count, double median, double most) {}

    void add(Duration took) {
        double micros = Math.max(1, took.toNanos() / 1e3);
        int place = (int) (Math.log(micros) / Math.log(2) * PARTS);
        counts.incrementAndGet(Math.min(place, counts.length() - 1));
    }

    /** Reads the histogram, and clears it. */
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
