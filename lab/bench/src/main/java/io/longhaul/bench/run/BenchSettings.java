// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the bench.
 *
 * @param timing   the times of measurements
 * @param sizes    the sizes of measured things
 * @param programs the measured programs, in addition to the classes of the bench
 */
public record BenchSettings(Timing timing, Sizes sizes, Programs programs) {

    /**
     * The times of the measurements.
     *
     * @param rounds   the number of measurements of each scenario
     * @param warmUp   the CPU time that a server uses under load before it is measured; its JIT compiler needs that
     *     time, however long it takes on a shared machine
     * @param measured the duration of one measurement
     * @param repeats  how often a round repeats a measurement that happens only once in a process
     */
    public record Timing(int rounds, Duration warmUp, Duration measured, int repeats) {

        /** The times that show in seconds that the bench works; the figures mean nothing. */
        public static final Timing QUICK = new Timing(1, Duration.ofMillis(50), Duration.ofMillis(100), 1);

        /** Five rounds, 25 s of warm-up. */
        public static final Timing FULL = new Timing(5, Duration.ofSeconds(25), Duration.ofSeconds(10), 5);
    }

    /**
     * The sizes of measured things.
     *
     * @param connections the numbers of connections of the load generator; the first is for all rows, the others are
     *     for the rows of the picture
     * @param listeners   the number of open streams and sessions
     * @param waiting     the number of waiting tasks, over which a server also starts again
     * @param few         the stored tasks of the server for comparison with {@code many}
     * @param many        the stored tasks of a server with many
     */
    public record Sizes(List<Integer> connections, int listeners, int waiting, int few, int many) {

        /** The sizes of a run that only shows that the bench works. */
        public static final Sizes QUICK = new Sizes(List.of(2), 20, 20, 10, 60);

        public static final Sizes FULL = new Sizes(List.of(16), 10_000, 100_000, 1_000, 1_000_000);

        public Sizes {
            connections = List.copyOf(connections);
        }
    }

    /**
     * The programs.
     *
     * @param serve   the command that begins {@code longhaul serve}, without any argument
     * @param call    the command that begins {@code longhaul call}, without any argument
     * @param guarded runs the measured server with all its guards and logs
     * @param against the class path of another build that is measured in the same rounds, or null
     * @param peers   the folder of the peers that are measured in the same rounds, or null for none
     * @param store   the address of the PostgreSQL database that is measured, or null for none
     */
    public record Programs(
            List<String> serve,
            List<String> call,
            Class<?> guarded,
            @Nullable String against,
            @Nullable Path peers,
            @Nullable String store) {

        public Programs {
            serve = List.copyOf(serve);
            call = List.copyOf(call);
        }
    }

    /** These settings without the connections that are only for the picture. */
    public BenchSettings withoutPicture() {
        var first = sizes.connections().subList(0, 1);
        return new BenchSettings(
                timing, new Sizes(first, sizes.listeners(), sizes.waiting(), sizes.few(), sizes.many()), programs);
    }

    public static String classPath() {
        return System.getProperty("java.class.path");
    }
}
