// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.process;

import io.longhaul.bench.run.ChildProcess;
import io.longhaul.bench.run.Figure;
import io.longhaul.bench.run.Measurement;
import io.longhaul.bench.run.Medians;
import io.longhaul.bench.run.Scenario;
import io.longhaul.bench.run.Scratch;
import java.util.List;

/**
 * Measures the time from the start of a process to its answer to {@code initialize}. The same host has started our
 * server before, as at every start except the first.
 *
 * @param title   the title for people
 * @param base    the title of the compared scenario
 * @param server  starts the server
 * @param repeats the number of starts, whose median counts
 */
record StdioStart(String title, String base, StdioServer server, int repeats) implements Scenario {

    @Override
    public List<Measurement> measure() throws Exception {
        try (var scratch = Scratch.make()) {
            var command = server.command(scratch);
            var times = new double[repeats];
            for (var i = 0; i < repeats; i++) {
                var begun = System.nanoTime();
                try (var child = ChildProcess.startSilently(command)) {
                    StdioLink.initialize(child);
                    times[i] = (System.nanoTime() - begun) / 1e3;
                }
            }
            return List.of(Measurement.of(Figure.TIME, Medians.of(times)));
        }
    }
}
