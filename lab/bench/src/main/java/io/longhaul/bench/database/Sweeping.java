// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.database;

import io.longhaul.bench.database.BenchSchema.Expiry;
import io.longhaul.bench.run.BenchSettings;
import io.longhaul.bench.run.ChildProcess;
import io.longhaul.bench.run.Figure;
import io.longhaul.bench.run.Measurement;
import io.longhaul.bench.run.Scenario;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Measures creations, and the disk space, while one day's tasks out of a week are removed. */
record Sweeping(BenchDatabase database, int writers, int tasks, BenchSettings.Timing timing) implements Scenario {

    private static final String BEFORE = ", before";
    private static final Duration DAY = Duration.ofDays(1);
    private static final int DAYS = 7;
    private static final String SIZE = "SELECT pg_total_relation_size('task')";

    @Override
    public String title() {
        return String.format(
                Locale.ROOT, DatabaseScenarios.PREFIX + "creations while %,d of %,d expire", tasks / DAYS, tasks);
    }

    @Override
    public String base() {
        return title() + BEFORE;
    }

    @Override
    public List<Measurement> measure() throws Exception {
        try (var schema = database.newSchema()) {
            var begin = Instant.now().minus(DAY);
            schema.fill(tasks, Expiry.within(begin, DAY.multipliedBy(DAYS)));
            try (var store = ChildProcess.start(
                    BenchSettings.classPath(), SweptStore.class, schema.url(), String.valueOf(writers))) {
                store.line();
                do {
                    store.ask("200");
                } while (store.cpu().compareTo(timing.warmUp()) < 0);
                var sizeBefore = schema.number(SIZE);
                var before =
                        creations(store.ask(String.valueOf(timing.measured().toMillis())));
                var begun = System.nanoTime();
                var during = creations(store.ask("sweep"));
                var swept = tasks / DAYS * 1e9 / (System.nanoTime() - begun);
                // The tasks of the next day reuse the space of the previous day.
                schema.run("VACUUM task");
                schema.copy(tasks, tasks / DAYS, Expiry.within(begin.plus(DAY.multipliedBy(DAYS)), DAY));
                return List.of(
                        before.behind(BEFORE),
                        during,
                        Measurement.of(Figure.RATE, swept).behind(", removed"),
                        Measurement.of(Figure.SIZE, sizeBefore).behind(", their table"),
                        Measurement.of(Figure.SIZE, schema.number(SIZE)).behind(", their table a day later"));
            }
        }
    }

    private static Measurement creations(String line) {
        var words = line.split(" ");
        return Measurement.of(Figure.RATE, Long.parseLong(words[0]) * 1e9 / Long.parseLong(words[1]))
                .and(Figure.MEDIAN, Double.parseDouble(words[3]))
                .and(Figure.SLOWEST, Double.parseDouble(words[4]));
    }
}
