// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench;

import io.longhaul.bench.cold.ColdScenarios;
import io.longhaul.bench.database.DatabaseScenarios;
import io.longhaul.bench.database.FilledSchemas;
import io.longhaul.bench.http.HttpScenarios;
import io.longhaul.bench.http.NullServer;
import io.longhaul.bench.http.StoredTasks;
import io.longhaul.bench.peer.Peer;
import io.longhaul.bench.process.ProcessScenarios;
import io.longhaul.bench.run.BenchSettings;
import io.longhaul.bench.run.Figure;
import io.longhaul.bench.run.Report;
import io.longhaul.bench.run.Row;
import io.longhaul.bench.run.Scenario;
import io.longhaul.bench.run.Unavailable;
import io.longhaul.bench.store.StoreScenarios;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Measures one scenario after the other: mostly the cost of one request at the server, in microseconds of CPU, because
 * rates depend on the load of the machine, and CPU time hardly does. Each measurement has fresh processes and files.
 * The rounds are interleaved, so that other load on the machine affects all scenarios alike. For one thread.
 */
public final class Bench {

    private final BenchSettings settings;
    private final Consumer<String> news;
    private final Map<Key, List<Map<Figure, Double>>> rows = new LinkedHashMap<>();
    private final Map<Scenario, String> leftOut = new LinkedHashMap<>();

    private record Key(Scenario scenario, String suffix) {}

    private Bench(BenchSettings settings, Consumer<String> news) {
        this.settings = settings;
        this.news = news;
    }

    /**
     * Measures, for as long as the settings say.
     *
     * @param only the beginnings of the titles of scenarios, none for all; the scenarios that they are compared with
     *     run, too
     * @param news is told what is being measured
     */
    public static Report run(BenchSettings settings, List<String> only, Consumer<String> news) throws Exception {
        try (var stored = new StoredTasks();
                var filled = new FilledSchemas()) {
            var bench = new Bench(settings, news);
            return bench.run(chosen(scenarios(settings, stored, filled), only));
        }
    }

    /** The titles of all scenarios, in their order. */
    public static List<String> titles(BenchSettings settings) throws Exception {
        try (var stored = new StoredTasks();
                var filled = new FilledSchemas()) {
            return scenarios(settings, stored, filled).stream()
                    .map(Scenario::title)
                    .toList();
        }
    }

    private static List<Scenario> scenarios(BenchSettings settings, StoredTasks stored, FilledSchemas filled) {
        var all = Stream.of(
                        HttpScenarios.of(settings, stored),
                        ColdScenarios.of(settings),
                        ProcessScenarios.of(settings, Peer.TYPESCRIPT_1.title()),
                        StoreScenarios.of(settings),
                        DatabaseScenarios.of(settings, filled))
                .flatMap(List::stream)
                .collect(Collectors.toCollection(ArrayList::new));
        Peer.scenarios(settings).reversed().forEach(peer -> all.add(place(peer, all), peer));
        return all;
    }

    /** The place of a peer's scenario: right after ours, so that the machine has the same load during both. */
    private static int place(Scenario peer, List<Scenario> all) {
        var place = all.size();
        for (var i = 0; i < all.size(); i++) {
            if (peer.title().startsWith(all.get(i).title())) {
                place = i + 1;
            }
        }
        return place;
    }

    private static List<Scenario> chosen(List<Scenario> all, List<String> only) {
        var wanted = all.stream()
                .filter(one -> only.isEmpty() || only.stream().anyMatch(one.title()::startsWith))
                .toList();
        var bases = wanted.stream().map(Scenario::base).toList();
        return all.stream()
                .filter(one -> wanted.contains(one) || bases.contains(one.title()))
                .toList();
    }

    private Report run(List<Scenario> scenarios) throws Exception {
        var ceiling = NullServer.ceiling(settings);
        for (var round = 1; round <= settings.timing().rounds(); round++) {
            for (var scenario : scenarios) {
                if (!leftOut.containsKey(scenario)) {
                    news.accept("round " + round + ": " + scenario.title());
                    measure(scenario);
                }
            }
        }
        var found = new ArrayList<Row>();
        rows.forEach((key, rounds) -> found.add(new Row(key.scenario(), key.suffix(), rounds)));
        return new Report(ceiling, found, remarks());
    }

    private void measure(Scenario scenario) throws Exception {
        try {
            for (var one : scenario.measure()) {
                rows.computeIfAbsent(new Key(scenario, one.suffix()), key -> new ArrayList<>())
                        .add(one.figures());
            }
        } catch (Unavailable e) {
            leftOut.put(scenario, e.getMessage());
        }
    }

    private List<String> remarks() {
        return Stream.concat(
                        Stream.of(HttpScenarios.RAISED),
                        leftOut.entrySet().stream()
                                .map(one -> "Left out: " + one.getKey().title() + ": " + one.getValue()))
                .toList();
    }
}
