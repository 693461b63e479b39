// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.database;

import io.longhaul.bench.http.LoadGenerator;
import io.longhaul.bench.http.Workload;
import io.longhaul.bench.run.BenchSettings;
import io.longhaul.bench.run.ChildProcess;
import io.longhaul.bench.run.Figure;
import io.longhaul.bench.run.Fleet;
import io.longhaul.bench.run.Measurement;
import io.longhaul.bench.run.Scenario;
import io.longhaul.bench.run.Unavailable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** All scenarios of nodes over one PostgreSQL. */
public final class DatabaseScenarios {

    static final String PREFIX = "PostgreSQL: ";

    private static final int[] NODES = {1, 2, 4};

    /** The threads that create tasks at each node, and the rows of a plain insert, so that as many share one commit. */
    private static final int WRITERS = 64;

    private static final List<Workload> GROWING =
            List.of(Workload.CREATE_SESSION, Workload.GET_FINISHED_SESSION, Workload.LIST);

    private final BenchSettings settings;
    private final BenchDatabase database;
    private final FilledSchemas filled;

    private DatabaseScenarios(BenchSettings settings, String url, FilledSchemas filled) {
        this.settings = settings;
        this.database = new BenchDatabase(url);
        this.filled = filled;
    }

    public static List<Scenario> of(BenchSettings settings, FilledSchemas filled) {
        var url = settings.programs().store();
        return url == null
                ? List.of(new Measured(PREFIX + "all", "", () -> {
                    throw new Unavailable("no database was named with --store");
                }))
                : new DatabaseScenarios(settings, url, filled).all();
    }

    private List<Scenario> all() {
        var all = new ArrayList<Scenario>();
        for (var nodes : NODES) {
            var plain = String.format(Locale.ROOT, "%sinserts of %d rows, %d at once", PREFIX, WRITERS, nodes);
            all.add(new Measured(plain, "", () -> plain(nodes)));
            all.add(new Measured(PREFIX + "creations, " + nodes(nodes), plain, () -> stores(nodes)));
            var one = PREFIX + Workload.CREATE_SESSION.title() + ", " + nodes(1);
            all.add(new Measured(
                    PREFIX + Workload.CREATE_SESSION.title() + ", " + nodes(nodes),
                    nodes == 1 ? "" : one,
                    () -> servedOnNew(nodes)));
        }
        var sizes = settings.sizes();
        for (var workload : GROWING) {
            all.add(growing(workload, sizes.few(), ""));
            all.add(growing(workload, sizes.many(), over(sizes.few()) + workload.title()));
        }
        all.add(new Measured(claim(sizes.few()), "", () -> claims(sizes.few())));
        all.add(new Measured(claim(sizes.many()), claim(sizes.few()), () -> claims(sizes.many())));
        all.add(new Sweeping(database, sizes.connections().getFirst(), sizes.many(), settings.timing()));
        return all;
    }

    private static String nodes(int count) {
        return count == 1 ? "1 node" : count + " nodes";
    }

    private static String over(int tasks) {
        return String.format(Locale.ROOT, "%sover %,d stored tasks: ", PREFIX, tasks);
    }

    private Scenario growing(Workload workload, int tasks, String base) {
        return new Measured(
                over(tasks) + workload.title(),
                base,
                () -> served(1, filled.of(database, tasks), workload, Figure.CPU));
    }

    private List<Measurement> plain(int connections) throws Exception {
        try (var schema = database.newSchema();
                var fleet = Fleet.of(
                        1,
                        number -> ChildProcess.start(
                                BenchSettings.classPath(),
                                PlainInserts.class,
                                schema.url(),
                                String.valueOf(connections),
                                String.valueOf(WRITERS)))) {
            return new NodesLoad(database, fleet, fleet, WRITERS, settings.timing()).measure(Figure.RATE);
        }
    }

    private List<Measurement> stores(int nodes) throws Exception {
        try (var schema = database.newSchema();
                var fleet = Fleet.of(
                        nodes,
                        number -> ChildProcess.start(
                                BenchSettings.classPath(),
                                StoreNode.class,
                                schema.url(),
                                String.valueOf(WRITERS),
                                "node-" + number))) {
            return new NodesLoad(database, fleet, fleet, 1, settings.timing()).measure(Figure.RATE);
        }
    }

    private List<Measurement> servedOnNew(int nodes) throws Exception {
        try (var schema = database.newSchema()) {
            return served(nodes, schema, Workload.CREATE_SESSION, Figure.RATE);
        }
    }

    private static String claim(int tasks) {
        return String.format(Locale.ROOT, "%sa claim beside %,d live tasks of another node", PREFIX, tasks);
    }

    private List<Measurement> claims(int tasks) throws Exception {
        try (var schema = database.newSchema()) {
            schema.fillLive(tasks);
            try (var fleet = Fleet.of(
                    1, number -> ChildProcess.start(BenchSettings.classPath(), ClaimingNode.class, schema.url()))) {
                return new NodesLoad(database, fleet, fleet, 1, settings.timing()).measure(Figure.RATE);
            }
        }
    }

    /** Measures servers, each with a load generator of its own. */
    private List<Measurement> served(int nodes, BenchSchema schema, Workload workload, Figure main) throws Exception {
        var connections = String.valueOf(settings.sizes().connections().getFirst());
        try (var servers = Fleet.of(
                        nodes,
                        number -> ChildProcess.start(
                                BenchSettings.classPath(), ServedNode.class, "tools", "node-" + number, schema.url()));
                var generators = Fleet.of(
                        nodes,
                        number -> ChildProcess.start(
                                BenchSettings.classPath(),
                                LoadGenerator.class,
                                workload.name(),
                                servers.members().get(number).address().toString(),
                                connections))) {
            return new NodesLoad(database, servers, generators, 1, settings.timing()).measure(main);
        }
    }

    private interface Measuring {
        List<Measurement> measure() throws Exception;
    }

    private record Measured(String title, String base, Measuring measuring) implements Scenario {
        @Override
        public List<Measurement> measure() throws Exception {
            return measuring.measure();
        }
    }
}
