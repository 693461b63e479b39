// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.run;

import java.util.Locale;

/** The figures that can be measured of a scenario. */
public enum Figure {
    /** Microseconds of the server's CPU for each run of the scenario. */
    CPU("CPU us", "cpuMicros", 1, 1),
    /** Microseconds of the database's CPU for each run, where its processes are on this machine. */
    DATABASE_CPU("DB us", "databaseCpuMicros", 1, 1),
    /** The number of runs per second. */
    RATE("a second", "perSecond", 1, 0),
    /** The microseconds within which half of the runs were answered. */
    MEDIAN("p50 ms", "p50Micros", 1e3, 2),
    /** The microseconds within which 99 of 100 runs were answered. */
    SLOWEST("p99 ms", "p99Micros", 1e3, 2),
    /** Bytes of heap that the server allocated for each run. */
    ALLOCATED("alloc KB", "allocatedBytes", 1e3, 2),
    CONNECTIONS("conns", "connections", 1, 0),
    /** The duration in microseconds. */
    TIME("ms", "micros", 1e3, 1),
    /** The duration of the first time in microseconds. */
    FIRST_TIME("first ms", "firstMicros", 1e3, 1),
    /** Microseconds of CPU of the whole process. */
    WHOLE_CPU("CPU ms", "wholeCpuMicros", 1e3, 0),
    /** Bytes of used heap for each thing, after a collection. */
    HEAP("heap KB", "heapBytes", 1e3, 2),
    /** Bytes of a table with its indexes. */
    SIZE("MB", "bytes", 1e6, 1),
    /** Platform threads of the process while all of them wait. */
    THREADS("threads", "threads", 1, 0);

    final String heading;
    final String key;

    private final double unit;
    private final int digits;

    Figure(String heading, String key, double unit, int digits) {
        this.heading = heading;
        this.key = key;
        this.unit = unit;
        this.digits = digits;
    }

    String text(double value) {
        return String.format(Locale.ROOT, "%,." + digits + "f", value / unit);
    }
}
