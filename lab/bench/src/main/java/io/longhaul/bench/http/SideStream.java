// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import io.longhaul.bench.http.StoredTasks.Kind;
import io.longhaul.bench.http.StoredTasks.Stock;
import io.longhaul.bench.run.BenchSettings;
import io.longhaul.bench.run.ChildProcess;
import io.longhaul.bench.run.Figure;
import io.longhaul.bench.run.Latencies;
import io.longhaul.bench.run.Measurement;
import io.longhaul.bench.run.Scenario;
import io.longhaul.bench.run.Scratch;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Measures the cost of opening the side stream of a session whose owner has many tasks. */
record SideStream(int tasks, StoredTasks stored, BenchSettings settings) implements Scenario {

    private static final int BATCH = 50;
    private static final int SETTLE_MILLIS = 100;

    @Override
    public String title() {
        return title(tasks);
    }

    @Override
    public String base() {
        return tasks == settings.sizes().few() ? "" : title(settings.sizes().few());
    }

    private static String title(int tasks) {
        return String.format(Locale.ROOT, "opening a side stream, owner with %,d tasks", tasks);
    }

    @Override
    public List<Measurement> measure() throws Exception {
        try (var scratch = Scratch.make()) {
            var file = scratch.file(MeasuredStart.TASKS);
            stored.put(new Stock(Kind.FINISHED, tasks), file);
            try (var server = MeasuredStart.tools(file)) {
                var address = server.address();
                do {
                    open(server, address, new Latencies());
                } while (server.cpu().compareTo(settings.timing().warmUp()) < 0);
                var latencies = new Latencies();
                var cpu = Duration.ZERO;
                var end = System.nanoTime() + settings.timing().measured().toNanos();
                do {
                    cpu = cpu.plus(open(server, address, latencies));
                } while (System.nanoTime() - end < 0);
                return List.of(Measurement.of(Figure.CPU, cpu.toNanos() / 1e3 / latencies.count())
                        .and(Figure.MEDIAN, latencies.micros(0.5))
                        .and(Figure.SLOWEST, latencies.micros(0.99)));
            }
        }
    }

    /** Opens a side stream in each of a few new sessions, and gives the CPU time, with the server's work afterwards. */
    private static Duration open(ChildProcess server, URI address, Latencies latencies)
            throws IOException, InterruptedException {
        var links = new ArrayList<HttpLink>();
        try {
            for (var i = 0; i < BATCH; i++) {
                var link = new HttpLink(address);
                links.add(link);
                link.initialize();
            }
            var before = server.cpu();
            for (var link : links) {
                var begun = System.nanoTime();
                link.openSideStream();
                latencies.add(System.nanoTime() - begun);
            }
            Thread.sleep(SETTLE_MILLIS);
            return server.cpu().minus(before);
        } finally {
            for (var link : links) {
                link.close();
            }
        }
    }
}
