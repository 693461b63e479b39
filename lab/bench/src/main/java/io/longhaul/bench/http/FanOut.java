// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import io.longhaul.bench.http.Memory.Heap;
import io.longhaul.bench.run.ChildProcess;
import io.longhaul.bench.run.Figure;
import io.longhaul.bench.run.Measurement;
import io.longhaul.bench.run.Medians;
import io.longhaul.bench.run.Scenario;
import io.longhaul.bench.run.Scratch;
import io.longhaul.bench.run.Unavailable;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * Measures when the last of many listeners to a task is told of a change, and the server's memory for each listener.
 */
record FanOut(int listeners) implements Scenario {

    private static final int CHANGES = 5;

    @Override
    public String title() {
        return String.format(Locale.ROOT, "%,d listeners told of one change", listeners);
    }

    @Override
    public List<Measurement> measure() throws Exception {
        try (var scratch = Scratch.make();
                var server = MeasuredStart.tools(scratch.file(MeasuredStart.TASKS))) {
            var address = server.address();
            try (var herald = new HttpLink(address);
                    var first = new Listeners(address)) {
                herald.initialize();
                var task = herald.create("herald");
                // The first listener loads classes, whose memory must not count for the others.
                first.open(1, task);
                var before = Heap.of(server).bytes();
                try (var many = new Listeners(address)) {
                    return List.of(measure(server, many, task, before));
                }
            }
        }
    }

    private Measurement measure(ChildProcess server, Listeners many, String task, long before)
            throws IOException, Unavailable {
        try {
            many.open(listeners, task);
            var heap = (double) (Heap.of(server).bytes() - before) / listeners;
            return tell(server, many).and(Figure.HEAP, heap);
        } catch (IOException e) {
            // Throws where the server has ended, which no limit explains.
            Heap.of(server);
            throw new Unavailable("not all listeners keep a connection; a server takes half as many as it may have open"
                    + " files, which ulimit -n shows and raises: " + e.getMessage());
        }
    }

    /** Measures from before the change is stored, so that the time includes the commit. */
    private static Measurement tell(ChildProcess server, Listeners many) throws IOException {
        var times = new double[CHANGES];
        var cpu = server.cpu();
        for (var i = 0; i < times.length; i++) {
            var begun = System.nanoTime();
            server.tell("change " + i);
            times[i] = (many.await("change " + i) - begun) / 1e3;
            server.line();
        }
        return Measurement.of(Figure.TIME, Medians.of(times))
                .and(Figure.FIRST_TIME, times[0])
                .and(Figure.WHOLE_CPU, server.cpu().minus(cpu).toNanos() / 1e3 / CHANGES);
    }
}
