// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the bench is run.
 *
 * @param timing   how long
 * @param sizes    of what is measured
 * @param programs that are measured beside the classes of the bench
 */
public record Settings(Timing timing, Sizes sizes, Programs programs) {

    /**
     * How long is measured.
     *
     * @param rounds   how often each scenario is measured
     * @param warmUp   how much CPU a server has used, under load, before it is measured: its compiler needs that,
     *                 however long it takes on a machine that others share
     * @param measured how long it is measured
     * @param repeats  how often a round repeats what happens only once in a process
     */
    public record Timing(int rounds, Duration warmUp, Duration measured, int repeats) {

        /** What shows in seconds that the bench works; its figures mean nothing. */
        public static final Timing QUICK = new Timing(1, Duration.ofMillis(50), Duration.ofMillis(100), 1);

        /** Five rounds, 25 s of warm-up. */
        public static final Timing FULL = new Timing(5, Duration.ofSeconds(25), Duration.ofSeconds(10), 5);
    }

    /**
     * How large things are.
     *
     * @param connections of the load generator at once; the first is that of all rows, the others are measured for
     *                    the rows of the picture
     * @param listeners   streams, and sessions, that are open at once
     * @param waiting     tasks that wait at once, and over which a server starts again
     * @param few         stored tasks of a server that is compared with one that has {@code many}
     * @param many        stored tasks
     */
    public record Sizes(List<Integer> connections, int listeners, int waiting, int few, int many) {

        /** Of a run that only shows that it works. */
        public static final Sizes QUICK = new Sizes(List.of(2), 20, 20, 10, 60);

        /** Of a full run. */
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
     * @param guarded runs the measured server with all that guards and records what a server does
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

    /** The same without the connections that are only for the picture. */
    public Settings withoutPicture() {
        var first = sizes.connections().subList(0, 1);
        return new Settings(
                timing, new Sizes(first, sizes.listeners(), sizes.waiting(), sizes.few(), sizes.many()), programs);
    }

    /** The class path of this build. */
    public static String classPath() {
        return System.getProperty("java.class.path");
    }
}
