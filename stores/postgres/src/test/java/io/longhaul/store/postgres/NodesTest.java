// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.testkit.NeedsPostgres;
import java.time.Duration;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What two nodes can do to tasks in one database. */
@NeedsPostgres
final class NodesTest {

    private final String schema = TestDatabase.newSchema();
    private TaskStore one;
    private TaskStore other;

    @BeforeEach
    void open() {
        one = TestDatabase.store(schema);
        other = TestDatabase.store(schema);
    }

    @AfterEach
    void close() {
        other.close();
        one.close();
    }

    @Test
    void no_change_of_a_row_is_lost_where_two_nodes_change_it_at_once() {
        assertThat(one.rows().isShared()).isTrue();
        one.rows().put(new StoredRow("count", "a", Payload.ofText("0"), null));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var i = 0; i < 20; i++) {
                threads.submit(() -> one.rows().change("count", "a", NOW, NodesTest::counted));
                threads.submit(() -> other.rows().change("count", "a", NOW, NodesTest::counted));
            }
        }
        assertThat(one.rows().get("count", "a", NOW))
                .map(row -> row.value().text())
                .contains("40");
    }

    @Test
    void a_row_that_a_node_puts_off_while_another_one_sweeps_it_stays() throws Exception {
        one.rows().put(new StoredRow("session", "a", Payload.EMPTY, NOW));
        try (var renewing = TestDatabase.direct().getConnection();
                var statement = renewing.createStatement();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            renewing.setAutoCommit(false);
            statement.execute("UPDATE " + schema + ".handle SET expires_at = expires_at + 7200000000000");
            var sweep = threads.submit(() -> one.rows().sweep(NOW.plus(Duration.ofHours(1)), 10));
            while (TestDatabase.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                            + " AND query LIKE '%DELETE FROM handle%'")
                    .isEmpty()) {
                assertThat(sweep.isDone()).isFalse();
            }
            renewing.commit();
            assertThat(sweep.get()).isZero();
        }
        assertThat(one.rows().get("session", "a", NOW)).isPresent();
    }

    private static StoredRow counted(StoredRow row) {
        int count = Integer.parseInt(row.value().text()) + 1;
        return new StoredRow(row.space(), row.key(), Payload.ofText(Integer.toString(count)), row.expiresAt());
    }

    @Test
    void a_task_that_a_node_cannot_read_is_left_to_a_node_that_can_and_the_node_claims_the_others() throws Exception {
        for (int number = 1; number <= 3; number++) {
            one.commit(creation(task(number)));
        }
        var body = "UPDATE " + schema + ".task SET body = %s WHERE id = '" + id(2).value() + "'";
        TestDatabase.run(body.formatted("'\\xff'::bytea || body"));
        var lease = one.join("one", NOW);
        assertThat(one.claim(lease, 10, NOW)).extracting(Task::id).containsExactly(id(1), id(3));
        TestDatabase.run(body.formatted("substring(body FROM 2)"));
        assertThat(one.claim(lease, 10, NOW)).isEmpty();
        assertThat(other.claim(other.join("other", NOW), 10, NOW))
                .extracting(Task::id)
                .containsExactly(id(2));
    }

    @Test
    void a_creation_waits_for_one_of_the_same_id_that_is_being_committed() throws Exception {
        assertThat(one.commit(creation(task(1)))).isEqualTo(new CommitResult.Committed());
        try (var doubtful = TestDatabase.direct().getConnection();
                var statement = doubtful.createStatement();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            doubtful.setAutoCommit(false);
            statement.execute("INSERT INTO " + schema + ".task (id, owner, stage, lease_epoch, version, last_event,"
                    + " updated_at, spec, body, work) SELECT '" + id(2).value()
                    + "', owner, stage, lease_epoch, version,"
                    + " last_event, updated_at, spec, body, work FROM " + schema + ".task");
            var creation = threads.submit(() -> one.commit(creation(task(2))));
            while (TestDatabase.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                            + " AND query LIKE '%INSERT INTO task%'")
                    .isEmpty()) {
                assertThat(creation.isDone()).isFalse();
            }
            doubtful.commit();
            assertThat(creation.get()).isEqualTo(new CommitResult.Stale());
        }
    }
}
