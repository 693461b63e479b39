// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import io.longhaul.bench.run.BenchSettings;
import io.longhaul.bench.run.ChildProcess;
import io.longhaul.bench.run.Figure;
import io.longhaul.bench.run.Measurement;
import io.longhaul.bench.run.Scenario;
import io.longhaul.bench.run.Scratch;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the cost of a workload at a server under load.
 *
 * @param title    the title for people
 * @param base     the title of the compared scenario, or empty
 * @param workload the workload
 * @param server   starts the server in an empty folder
 * @param tells    whether the server reports what it has allocated
 * @param settings the times and the numbers of connections
 */
record Load(String title, String base, Workload workload, MeasuredStart server, boolean tells, BenchSettings settings)
        implements Scenario {

    private static final String SLICE_MILLIS = "200";

    /** The load of a server of this build, compared with the bare echo. */
    static Load of(Workload workload, MeasuredStart server, BenchSettings settings) {
        return new Load(workload.title(), Workload.BARE.title(), workload, server, true, settings);
    }

    /** The load of another server, with a suffix to the title of the workload. */
    static Load foreign(Workload workload, String suffix, MeasuredStart server, BenchSettings settings) {
        return new Load(workload.title() + suffix, Workload.BARE.title(), workload, server, false, settings);
    }

    @Override
    public List<Measurement> measure() throws Exception {
        try (var scratch = Scratch.make();
                var child = server.in(scratch)) {
            return measure(child);
        }
    }

    /** Measures with each number of connections. The server is warm from the second number on. */
    private List<Measurement> measure(ChildProcess child) throws IOException {
        var address = child.address();
        var connections = settings.sizes().connections();
        var found = new ArrayList<Measurement>();
        for (var count : workload.isPictured() ? connections : connections.subList(0, 1)) {
            var suffix = found.isEmpty() ? "" : ", " + count + " at once";
            found.add(measure(child, address, count).behind(suffix));
        }
        return found;
    }

    private Measurement measure(ChildProcess child, URI address, int connections) throws IOException {
        try (var generator = ChildProcess.start(
                BenchSettings.classPath(),
                LoadGenerator.class,
                workload.name(),
                address.toString(),
                String.valueOf(connections))) {
            generator.line();
            do {
                generator.ask(SLICE_MILLIS);
            } while (child.cpu().compareTo(settings.timing().warmUp()) < 0);
            var allocated = allocated(child);
            var before = child.cpu();
            var counted = generator
                    .ask(String.valueOf(settings.timing().measured().toMillis()))
                    .split(" ");
            var cpu = child.cpu().minus(before);
            var found = of(cpu.toNanos() / 1e3, counted).and(Figure.CONNECTIONS, connections);
            return tells ? found.and(Figure.ALLOCATED, (allocated(child) - allocated) / count(counted)) : found;
        }
    }

    private double allocated(ChildProcess child) throws IOException {
        return tells ? Double.parseDouble(child.ask("allocated")) : 0;
    }

    private static long count(String[] counted) {
        return Math.max(1, Long.parseLong(counted[0]));
    }

    /** @param counted the output of {@link LoadGenerator} */
    private static Measurement of(double cpuMicros, String[] counted) {
        var count = count(counted);
        return Measurement.of(Figure.CPU, cpuMicros / count)
                .and(Figure.RATE, count * 1e9 / Long.parseLong(counted[1]))
                .and(Figure.MEDIAN, Double.parseDouble(counted[2]))
                .and(Figure.SLOWEST, Double.parseDouble(counted[3]));
    }
}
