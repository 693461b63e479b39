// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Logs warnings that any sender can cause. One line is written at once; warnings that follow too soon are counted in
 * the next line, so that no sender can fill a disk. Thread-safe.
 */
final class Seldom {

    private final Logger log;
    private final long interval;
    private final LongSupplier nanos;
    private long last;
    private int leftOut;

    /** @param interval nanoseconds between two lines */
    Seldom(Logger log, long interval, LongSupplier nanos) {
        this.log = log;
        this.interval = interval;
        this.nanos = nanos;
        last = nanos.getAsLong() - interval;
    }

    synchronized void warn(String line) {
        var now = nanos.getAsLong();
        if (now - last < interval) {
            leftOut++;
            return;
        }
        var more = leftOut == 0 ? "" : " (and " + leftOut + " more since the last such line)";
        last = now;
        leftOut = 0;
        log.warn("{}{}", line, more);
    }
}
