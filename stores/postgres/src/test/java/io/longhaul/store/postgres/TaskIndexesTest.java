// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.contract.TaskFixtures.ALICE;
import static io.longhaul.store.contract.TaskFixtures.BOB;
import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.SharedTasks.Wanted;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.TaskState;
import io.longhaul.testkit.NeedsPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each index of a table that grows costs each write something. A statement of the store needs it, or it goes. */
@NeedsPostgres
final class TaskIndexesTest {

    private static final Wanted WORKS = new Wanted(Set.of("work"), Set.of(), Duration.ZERO);
    private static final int STORED = 50_000;

    /** One task of fifty is live, one of ten has a key, one of ten is of a group. */
    private static final String FILL = """
        INSERT INTO longhaul.lease (node, epoch, joined_at, expires_at)
        SELECT 'node' || n, nextval('longhaul.lease_epoch'), 0, clock_timestamp() + interval '1 hour'
        FROM generate_series(1, 4) AS n;
        INSERT INTO longhaul.task (id, owner, creation_key, stage, lease_node, lease_epoch, expires_at, version,
            last_event, updated_at, spec, body, route, work, unfenced)
        SELECT lpad(n::text, 36, '0'), 'owner' || n %% 500, CASE n %% 10 WHEN 0 THEN 'key' || n END,
            CASE n %% 50 WHEN 0 THEN 2 ELSE 0 END, CASE n %% 50 WHEN 0 THEN 'node' || n / 50 %% 4 + 1 END,
            n / 50 %% 4 + 1, CASE WHEN n %% 50 > 0 THEN %1$d + n * 1000000000::bigint END, 1, 3, 0, 'spec', 'body',
            CASE n %% 10 WHEN 1 THEN 'group' || n / 100 || '/member' END, 'work', n %% 5000 = 0
        FROM generate_series(1, %2$d) AS n;
        INSERT INTO longhaul.event (task_id, seq, body)
        SELECT lpad(n::text, 36, '0'), seq, 'body' FROM generate_series(1, %2$d) AS n, generate_series(2, 3) AS seq;
        INSERT INTO longhaul.part (task_id, name, body)
        SELECT lpad(n::text, 36, '0'), 'result', 'body' FROM generate_series(1, %2$d) AS n;
        INSERT INTO longhaul.handle (space, key, value, expires_at)
        SELECT 'session', 'key' || n, 'value', %1$d + n * 1000000000::bigint FROM generate_series(1, %2$d) AS n;
        ANALYZE\
        """.formatted(NOW.getEpochSecond() * 1_000_000_000L, STORED);

    /** All but those of the few rows of nodes, slots and keys, which are there so that these are unique. */
    private static final String INDEXES = """
        SELECT indexname FROM pg_indexes
        WHERE schemaname = 'longhaul' AND tablename NOT IN ('lease', 'slot', 'data_key', 'schema_version')\
        """;

    /** Drops an index, and the constraint that it is of. */
    private static final String DROP = """
        DO $$ BEGIN
            EXECUTE (SELECT CASE WHEN conname IS NULL THEN 'DROP INDEX ' || indexrelid::regclass
                ELSE format('ALTER TABLE %%s DROP CONSTRAINT %%I', indrelid::regclass, conname) END
                FROM pg_index LEFT JOIN pg_constraint ON conindid = indexrelid
                WHERE indexrelid = '%s'::regclass);
        END $$\
        """;

    private static final Pattern COST = Pattern.compile("cost=[0-9.]+\\.\\.([0-9.]+)");
    private static final double WORTH = 1.5;

    @Test
    void each_index_has_a_statement_that_costs_more_without_it() throws SQLException {
        var database = TestDatabase.newDatabase();
        var recorder = new StatementRecorder(database);
        try (var store = PostgresTaskStore.at(recorder.database())) {
            TestDatabase.run(database, FILL);
            recorder.take();
            ask(store);
        }
        var asked = recorder.take().stream()
                .filter(sent -> !sent.answer().isEmpty())
                .toList();
        var indexes = TestDatabase.query(database, INDEXES);
        assertThat(indexes).hasSizeGreaterThan(10);
        try (var connection = database.getConnection()) {
            connection.setAutoCommit(false);
            connection.createStatement().execute("SET search_path TO longhaul");
            var with = costs(connection, asked);
            for (var index : indexes) {
                connection.createStatement().execute(DROP.formatted(index));
                var without = costs(connection, asked);
                connection.rollback();
                connection.createStatement().execute("SET search_path TO longhaul");
                assertThat(IntStream.range(0, asked.size()).mapToDouble(at -> without.get(at) / with.get(at)))
                        .as("how many times more a statement costs without %s", index)
                        .anyMatch(times -> times > WORTH);
            }
        }
    }

    /** What the database expects each statement to cost. */
    private static List<Double> costs(Connection connection, List<Sent> asked) throws SQLException {
        var costs = new ArrayList<Double>();
        for (var sent : asked) {
            var plan = new Sent("EXPLAIN " + sent.sql(), sent.values(), List.of("= rows 0")).send(connection);
            var cost = COST.matcher(plan.getFirst());
            assertThat(cost.find()).as("%s", plan).isTrue();
            costs.add(Double.parseDouble(cost.group(1)));
        }
        return costs;
    }

    private static void ask(PostgresTaskStore store) {
        var lease = store.join("node", NOW);
        var shared = store.sharedTasks().orElseThrow();
        store.find(id(31));
        store.findByKey(BOB, "key");
        store.list(TaskFilter.of(ALICE), null, 50);
        store.list(TaskFilter.ALL.in(TaskState.SUBMITTED, TaskState.WORKING, TaskState.INPUT_REQUIRED), id(0), 50);
        store.routed(ALICE, new Route("group", "member"), null, 50);
        store.sweep(NOW, 500);
        store.rows().get("session", "key", NOW);
        store.rows().sweep(NOW, 500);
        shared.claim(lease, WORKS, 100, NOW);
        shared.news(lease, 5, WORKS);
        shared.versions(lease, Set.of());
        shared.live(Set.of(ALICE));
    }
}
