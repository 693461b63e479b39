// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.run;

/** A histogram of the durations of requests, in classes of 3% width. For one thread. */
public final class Latencies {

    private static final int CLASSES_PER_DOUBLING = 32;

    private final long[] counts = new long[64 * CLASSES_PER_DOUBLING];
    private long all;

    public void add(long nanos) {
        counts[classOf(Math.max(1, nanos))]++;
        all++;
    }

    public long count() {
        return all;
    }

    /** The time within which {@code share} of the requests were answered, in microseconds. */
    public double micros(double share) {
        var left = (long) Math.ceil(all * share);
        for (var i = 0; i < counts.length; i++) {
            left -= counts[i];
            if (left <= 0 && all > 0) {
                return nanosOf(i) / 1e3;
            }
        }
        return 0;
    }

    private static int classOf(long nanos) {
        var doubling = 63 - Long.numberOfLeadingZeros(nanos);
        var part = (nanos - (1L << doubling)) * CLASSES_PER_DOUBLING >> doubling;
        return doubling < 58 ? (int) (doubling * CLASSES_PER_DOUBLING + part) : 58 * CLASSES_PER_DOUBLING;
    }

    private static double nanosOf(int at) {
        var doubling = at / CLASSES_PER_DOUBLING;
        return (1L << doubling) * (1 + (at % CLASSES_PER_DOUBLING + 0.5) / CLASSES_PER_DOUBLING);
    }
}
