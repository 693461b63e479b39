// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.process;

import io.longhaul.bench.run.BenchSettings.Timing;
import io.longhaul.bench.run.ChildProcess;
import io.longhaul.bench.run.Figure;
import io.longhaul.bench.run.Latencies;
import io.longhaul.bench.run.Measurement;
import io.longhaul.bench.run.Scenario;
import io.longhaul.bench.run.Scratch;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Measures calls of the echo, one after the other, over standard input and output.
 *
 * @param title  the title for people
 * @param server starts the server
 * @param timing the times
 */
record StdioCalls(String title, StdioServer server, Timing timing) implements Scenario {

    private static final Duration SLICE = Duration.ofMillis(200);

    @Override
    public List<Measurement> measure() throws Exception {
        try (var scratch = Scratch.make();
                var child = ChildProcess.start(server.command(scratch))) {
            StdioLink.initialize(child);
            do {
                call(child, SLICE);
            } while (child.cpu().compareTo(timing.warmUp()) < 0);
            var before = child.cpu();
            var begun = System.nanoTime();
            var latencies = call(child, timing.measured());
            var took = System.nanoTime() - begun;
            var cpu = child.cpu().minus(before);
            return List.of(Measurement.of(Figure.CPU, cpu.toNanos() / 1e3 / latencies.count())
                    .and(Figure.RATE, latencies.count() * 1e9 / took)
                    .and(Figure.MEDIAN, latencies.micros(0.5))
                    .and(Figure.SLOWEST, latencies.micros(0.99)));
        }
    }

    private static Latencies call(ChildProcess server, Duration duration) throws IOException {
        var latencies = new Latencies();
        var begun = System.nanoTime();
        var now = begun;
        do {
            StdioLink.call(server, latencies.count() + 1);
            var answered = System.nanoTime();
            latencies.add(answered - now);
            now = answered;
        } while (now - begun < duration.toNanos());
        return latencies;
    }
}
