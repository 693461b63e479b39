// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.cold;

import io.longhaul.bench.http.LoadGenerator;
import io.longhaul.bench.http.MeasuredServer;
import io.longhaul.bench.http.Workload;
import io.longhaul.bench.run.BenchSettings;
import io.longhaul.bench.run.ChildProcess;
import io.longhaul.bench.run.Figure;
import io.longhaul.bench.run.Measurement;
import io.longhaul.bench.run.Scenario;
import io.longhaul.bench.run.Scratch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the cost of a workload at a server until the server has used 3 s of CPU under that load, or less where a
 * measurement takes less.
 */
record ColdLoad(Workload workload, ClassArchive.Kind kind, BenchSettings settings) implements Scenario {

    private static final Duration COLD = Duration.ofSeconds(3);
    private static final String SLICE_MILLIS = "50";

    /** The archives of this run, which its process removes at its end. */
    private static final class Archives {
        private static final Path FOLDER = make();

        private static Path make() {
            try {
                var scratch = Scratch.make();
                Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> remove(scratch)));
                return scratch.folder();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void remove(Scratch scratch) {
            try {
                scratch.close();
            } catch (IOException e) {
                System.err.println("bench: " + scratch.folder() + " is left behind: " + e.getMessage());
            }
        }
    }

    @Override
    public String title() {
        return "first 3 s of " + workload.title() + kind.title();
    }

    @Override
    public String base() {
        return Workload.BARE.title();
    }

    @Override
    public List<Measurement> measure() throws Exception {
        var options = ClassArchive.options(kind, Archives.FOLDER);
        var measured = settings.timing().measured();
        try (var scratch = Scratch.make();
                var server = start(scratch, options)) {
            var address = server.address();
            var connections = settings.sizes().connections().getFirst();
            return List.of(
                    load(workload, server, address, measured.compareTo(COLD) < 0 ? measured : COLD, connections));
        }
    }

    /** Starts the measured server by a JVM with these options. */
    static ChildProcess start(Scratch scratch, List<String> options) throws IOException {
        var command = new ArrayList<>(ChildProcess.java(
                BenchSettings.classPath(),
                MeasuredServer.class.getName(),
                "tools",
                scratch.file("tasks.db").toString()));
        command.addAll(1, options);
        return ChildProcess.startSilently(command);
    }

    /** Loads a server until it has used that much CPU. */
    static Measurement load(Workload workload, ChildProcess server, URI address, Duration cpu, int connections)
            throws IOException {
        try (var generator = ChildProcess.start(
                BenchSettings.classPath(),
                LoadGenerator.class,
                workload.name(),
                address.toString(),
                String.valueOf(connections))) {
            generator.line();
            var before = server.cpu();
            long count = 0;
            long nanos = 0;
            var used = Duration.ZERO;
            while (used.compareTo(cpu) < 0) {
                var counted = generator.ask(SLICE_MILLIS).split(" ");
                count += Long.parseLong(counted[0]);
                nanos += Long.parseLong(counted[1]);
                used = server.cpu().minus(before);
            }
            return Measurement.of(Figure.CPU, used.toNanos() / 1e3 / Math.max(1, count))
                    .and(Figure.RATE, count * 1e9 / nanos)
                    .and(Figure.CONNECTIONS, connections);
        }
    }
}
