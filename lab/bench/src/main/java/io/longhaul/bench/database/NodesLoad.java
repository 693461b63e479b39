// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.database;

import io.longhaul.bench.run.BenchSettings.Timing;
import io.longhaul.bench.run.Figure;
import io.longhaul.bench.run.Fleet;
import io.longhaul.bench.run.Measurement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Measures the rate and the CPU time of several processes over one database.
 *
 * @param loaded the processes whose CPU is counted; each is warmed up before
 * @param asked  the processes that are told how long to work; the same ones, or those that send requests to them
 * @param each   the number of operations in one count
 */
record NodesLoad(BenchDatabase database, Fleet loaded, Fleet asked, int each, Timing timing) {

    /** @param main {@link Figure#RATE} or {@link Figure#CPU}, the first figure of the measurement */
    List<Measurement> measure(Figure main) throws Exception {
        asked.lines();
        asked.warmUp(loaded, timing.warmUp());
        var databaseBefore = database.cpu();
        var before = loaded.cpu();
        var answers = asked.ask(String.valueOf(timing.measured().toMillis())).stream()
                .map(Answer::of)
                .toList();
        var count = Math.max(1, answers.stream().mapToLong(Answer::count).sum() * each);
        var cpu = micros(loaded.cpu().minus(before)) / count;
        var rate = answers.stream().mapToDouble(Answer::perSecond).sum() * each;
        var found = (main == Figure.RATE
                        ? Measurement.of(Figure.RATE, rate).and(Figure.CPU, cpu)
                        : Measurement.of(Figure.CPU, cpu).and(Figure.RATE, rate))
                .and(
                        Figure.MEDIAN,
                        answers.stream().mapToDouble(Answer::median).average().orElseThrow())
                .and(
                        Figure.SLOWEST,
                        answers.stream().mapToDouble(Answer::slowest).max().orElseThrow());
        return withDatabase(found, main, databaseBefore, count);
    }

    /** Adds the cost at the database: as a figure, or as a row of its own where the main figure is CPU. */
    private List<Measurement> withDatabase(Measurement found, Figure main, Optional<Duration> before, long count)
            throws SQLException {
        var after = database.cpu();
        if (before.isEmpty() || after.isEmpty()) {
            return List.of(found);
        }
        var micros = micros(after.get().minus(before.get())) / count;
        if (main == Figure.RATE) {
            return List.of(found.and(Figure.DATABASE_CPU, micros));
        }
        return List.of(found, Measurement.of(Figure.DATABASE_CPU, micros).behind(", in the database"));
    }

    private static double micros(Duration time) {
        return time.toNanos() / 1e3;
    }

    /** The output of one process; the last two words are percentiles in microseconds. */
    private record Answer(long count, double perSecond, double median, double slowest) {

        static Answer of(String line) {
            var words = line.split(" ");
            var count = Long.parseLong(words[0]);
            return new Answer(
                    count,
                    count * 1e9 / Long.parseLong(words[1]),
                    Double.parseDouble(words[words.length - 2]),
                    Double.parseDouble(words[words.length - 1]));
        }
    }
}
