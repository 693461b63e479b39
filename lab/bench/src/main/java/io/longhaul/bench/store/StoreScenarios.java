// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.store;

import io.longhaul.bench.run.BenchSettings;
import io.longhaul.bench.run.ChildProcess;
import io.longhaul.bench.run.Figure;
import io.longhaul.bench.run.Measurement;
import io.longhaul.bench.run.Scenario;
import io.longhaul.bench.run.Scratch;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** All scenarios of the store alone. */
public final class StoreScenarios {

    private static final int[] WRITERS = {1, 64, 256};
    private static final int READERS = 64;

    private StoreScenarios() {}

    public static List<Scenario> of(BenchSettings settings) {
        var all = new ArrayList<Scenario>();
        for (var writers : WRITERS) {
            var floor = String.format(Locale.ROOT, "store: append and sync, %d at once", writers);
            var commits = String.format(Locale.ROOT, "store: commits, %d at once", writers);
            all.add(new Work(floor, "", List.of("append", String.valueOf(writers)), settings));
            all.add(new Work(commits, floor, List.of("commit", String.valueOf(writers)), settings));
        }
        var tasks = settings.sizes().waiting();
        all.add(new Work(
                String.format(Locale.ROOT, "store: reads at random of %,d tasks", tasks),
                "",
                List.of("read", String.valueOf(READERS), String.valueOf(tasks)),
                settings));
        return all;
    }

    /**
     * One kind of {@link StoreWork}.
     *
     * @param title the title for people
     * @param base  the title of the compared scenario
     * @param kind  the kind of work, and its arguments after the file
     */
    private record Work(String title, String base, List<String> kind, BenchSettings settings) implements Scenario {

        @Override
        public List<Measurement> measure() throws Exception {
            try (var scratch = Scratch.make()) {
                var args = new ArrayList<>(kind);
                args.add(1, scratch.file("file").toString());
                try (var child =
                        ChildProcess.start(BenchSettings.classPath(), StoreWork.class, args.toArray(String[]::new))) {
                    child.line();
                    do {
                        child.ask("200");
                    } while (child.cpu().compareTo(settings.timing().warmUp()) < 0);
                    return List.of(of(child.ask(
                                    String.valueOf(settings.timing().measured().toMillis()))
                            .split(" ")));
                }
            }
        }

        private static Measurement of(String[] counted) {
            var count = Math.max(1, Long.parseLong(counted[0]));
            return Measurement.of(Figure.RATE, count * 1e9 / Long.parseLong(counted[1]))
                    .and(Figure.CPU, Long.parseLong(counted[2]) / 1e3 / count);
        }
    }
}
