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
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Each index of tasks and rows costs each write something. A query of the store needs it, or it goes. */
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
        INSERT INTO longhaul.handle (space, key, value, expires_at)
        SELECT 'session', 'key' || n, 'value', %1$d + n * 1000000000::bigint FROM generate_series(1, %2$d) AS n;
        ANALYZE\
        """.formatted(NOW.getEpochSecond() * 1_000_000_000L, STORED);

    @Test
    void each_index_has_a_query_that_the_database_answers_by_it() throws SQLException {
        var database = TestDatabase.newDatabase();
        var recorder = new StatementRecorder(database);
        try (var store = PostgresTaskStore.at(recorder.database())) {
            TestDatabase.run(database, FILL);
            recorder.take();
            ask(store);
        }
        var used = new TreeSet<String>();
        for (var sent : recorder.take()) {
            if (!sent.answer().isEmpty()) {
                used.addAll(indexes(database, sent));
            }
        }
        assertThat(used).containsAll(TestDatabase.query(database, """
            SELECT indexname FROM pg_indexes WHERE schemaname = 'longhaul' AND tablename IN ('task', 'handle')\
            """));
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

    /** The indexes that the plan of a statement names. */
    private static List<String> indexes(DataSource database, Sent sent) throws SQLException {
        try (var connection = database.getConnection()) {
            connection.createStatement().execute("SET search_path TO longhaul");
            var plan = new Sent("EXPLAIN " + sent.sql(), sent.values(), List.of("= rows 0")).send(connection);
            var all = new ArrayList<String>();
            for (var line : plan) {
                var words = line.split(" +");
                for (int word = 1; word < words.length; word++) {
                    if (words[word - 1].matches("using|on")) {
                        all.add(words[word]);
                    }
                }
            }
            return all;
        }
    }
}
