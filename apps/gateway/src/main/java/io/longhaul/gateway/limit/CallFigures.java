// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.limit;

import io.longhaul.protocol.Guard;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the calls of one server, and keeps how long the last ones took. Thread-safe. */
public final class CallFigures {

    private static final int KEPT = 256;

    private final AtomicInteger underWay = new AtomicInteger();
    private final Guard guard = new Guard();
    private final long[] took = new long[KEPT];
    private long timed;
    private long calls;
    private long errors;

    /**
     * The counts at one moment.
     *
     * @param errors   calls without an answer, and those that ended with an error
     * @param median   of the last quick calls that have ended; zero where there is none
     * @param slowest  99 of 100 of these did not take longer
     */
    public record Reading(int underWay, long calls, long errors, Duration median, Duration slowest) {}

    public void begun() {
        underWay.incrementAndGet();
    }

    /** @param quick how long a quick call took, in nanoseconds; negative for a long call, whose time says nothing */
    public void ended(long quick, boolean isError) {
        underWay.decrementAndGet();
        guard.run(() -> {
            if (quick >= 0) {
                took[(int) (timed++ % KEPT)] = quick;
            }
            calls++;
            errors += isError ? 1 : 0;
        });
    }

    public Reading read() {
        return guard.get(() -> {
            var last = Arrays.copyOf(took, (int) Math.min(timed, KEPT));
            Arrays.sort(last);
            return new Reading(underWay.get(), calls, errors, share(last, 50), share(last, 99));
        });
    }

    /** The nearest rank. */
    private static Duration share(long[] sorted, int percent) {
        int rank = (sorted.length * percent + 99) / 100;
        return sorted.length == 0 ? Duration.ZERO : Duration.ofNanos(sorted[Math.max(0, rank - 1)]);
    }
}
