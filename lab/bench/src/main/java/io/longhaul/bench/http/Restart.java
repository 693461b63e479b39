// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import io.longhaul.bench.http.StoredTasks.Kind;
import io.longhaul.bench.http.StoredTasks.Stock;
import io.longhaul.bench.run.Figure;
import io.longhaul.bench.run.Measurement;
import io.longhaul.bench.run.Scenario;
import io.longhaul.bench.run.Scratch;
import java.util.List;
import java.util.Locale;

/** Measures how soon a server that starts over stored tasks answers a request about one of them. */
record Restart(Stock stock, StoredTasks stored) implements Scenario {

    @Override
    public String title() {
        return String.format(
                Locale.ROOT,
                "restart over %,d %s tasks",
                stock.count(),
                stock.kind() == Kind.LIVE ? "waiting" : "finished");
    }

    @Override
    public List<Measurement> measure() throws Exception {
        try (var scratch = Scratch.make()) {
            var file = scratch.file(MeasuredStart.TASKS);
            var task = stored.put(stock, file).value();
            var begun = System.nanoTime();
            try (var server = MeasuredStart.tools(file);
                    var link = new HttpLink(server.address())) {
                link.initialize();
                var state = link.ask(Era.SESSION, Step.get(), task).toString();
                var took = System.nanoTime() - begun;
                if (!state.contains(stock.kind() == Kind.LIVE ? "input_required" : "completed")) {
                    throw new IllegalStateException("a stored task is told as " + state);
                }
                return List.of(Measurement.of(Figure.TIME, took / 1e3)
                        .and(Figure.WHOLE_CPU, server.cpu().toNanos() / 1e3));
            }
        }
    }
}
