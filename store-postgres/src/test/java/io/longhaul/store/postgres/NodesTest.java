// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.progress;
import static io.longhaul.store.contract.TaskFixtures.start;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.testkit.NeedsPostgres;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
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
        one = TestDatabase.shared(schema);
        other = TestDatabase.shared(schema);
    }

    @AfterEach
    void close() {
        other.close();
        one.close();
    }

    private static Task committed(TaskStore store, Change change) {
        assertThat(store.commit(change)).isEqualTo(new CommitResult.Committed());
        return change.after();
    }

    private Task running(String node) {
        return committed(one, start(committed(one, creation(task(1))), one.join(node, NOW)));
    }

    /** What another node does to a lease that has lapsed, when it claims. */
    private void makeVoid(String node) throws SQLException {
        expire(node, "'-infinity'");
    }

    private void expire(String node, String when) throws SQLException {
        TestDatabase.run("UPDATE " + schema + ".lease SET expires_at = " + when + " WHERE node = '" + node + "'");
    }

    @Test
    void a_node_that_joins_leaves_the_lease_of_another_one_valid() {
        var running = running("one");
        var lease = other.join("other", NOW);
        assertThat(other.claim(lease, 10, NOW)).isEmpty();
        committed(one, progress(running, 1));
    }

    @Test
    void a_node_sees_what_another_one_has_committed() {
        var running = running("one");
        assertThat(other.find(id(1))).contains(running);
        assertThat(other.history(id(1), 0, 10)).hasSize(2);
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

    private static StoredRow counted(StoredRow row) {
        int count = Integer.parseInt(row.value().text()) + 1;
        return new StoredRow(row.space(), row.key(), Payload.ofText(Integer.toString(count)), row.expiresAt());
    }

    @Test
    void a_node_whose_lease_has_lapsed_renews_it_with_its_next_write() throws SQLException {
        var running = running("one");
        expire("one", "clock_timestamp()");
        committed(one, start(committed(one, creation(task(2))), running.tenure().lease()));
        committed(one, progress(running, 1));
    }

    @Test
    void a_node_whose_lease_has_lapsed_can_claim() throws SQLException {
        var lease = running("one").tenure().lease();
        committed(other, creation(task(2)));
        expire("one", "clock_timestamp()");
        assertThat(one.claim(lease, 10, NOW)).extracting(Task::id).containsExactly(id(2));
    }

    @Test
    void a_node_whose_lease_is_void_writes_nothing() throws SQLException {
        var running = running("one");
        makeVoid("one");
        assertThat(one.commit(progress(running, 1))).isEqualTo(new CommitResult.Fenced());
        assertThat(other.find(id(1))).contains(running);
    }

    @Test
    void the_tasks_of_a_void_lease_are_claimed_and_its_node_never_writes_them_again() throws SQLException {
        var running = running("one");
        makeVoid("one");
        var lease = other.join("other", NOW);
        var claimed = other.claim(lease, 10, NOW);
        assertThat(claimed).extracting(Task::id).containsExactly(running.id());
        var worked = committed(other, progress(claimed.getFirst(), 1));
        assertThat(one.commit(progress(running, 2))).isEqualTo(new CommitResult.Fenced());
        assertThat(one.find(id(1))).contains(worked);
    }

    @Test
    void a_lease_that_was_left_is_void_for_all_nodes() {
        var running = running("one");
        one.leave(running.tenure().lease(), NOW);
        assertThat(other.claim(other.join("other", NOW), 10, NOW)).hasSize(1);
    }

    @Test
    void the_oldest_tasks_are_claimed_first() {
        for (int number : new int[] {3, 1, 2}) {
            committed(one, creation(task(number)));
        }
        var lease = other.join("other", NOW);
        assertThat(other.claim(lease, 2, NOW)).extracting(Task::id).containsExactly(id(1), id(2));
        assertThat(other.claim(lease, 2, NOW)).extracting(Task::id).containsExactly(id(3));
    }

    @Test
    void nodes_that_claim_at_once_never_get_the_same_task() throws Exception {
        for (int number = 0; number < 200; number++) {
            committed(one, creation(task(number)));
        }
        var claimed = new ArrayList<TaskId>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var both =
                    List.of(threads.submit(() -> claimAll(one, "one")), threads.submit(() -> claimAll(other, "other")));
            for (var of : both) {
                claimed.addAll(of.get());
            }
        }
        assertThat(claimed).hasSize(200).doesNotHaveDuplicates();
    }

    private static List<TaskId> claimAll(TaskStore store, String node) {
        var lease = store.join(node, NOW);
        var all = new ArrayList<TaskId>();
        for (var some = store.claim(lease, 7, NOW); !some.isEmpty(); some = store.claim(lease, 7, NOW)) {
            some.forEach(task -> all.add(task.id()));
        }
        return all;
    }

    @Test
    void a_creation_waits_for_one_of_the_same_id_that_is_being_committed() throws Exception {
        committed(one, creation(task(1)));
        try (var doubtful = TestDatabase.direct().getConnection();
                var statement = doubtful.createStatement();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            doubtful.setAutoCommit(false);
            statement.execute("INSERT INTO " + schema + ".task (id, owner, stage, lease_epoch, version, last_event,"
                    + " updated_at, spec, body) SELECT '" + id(2).value() + "', owner, stage, lease_epoch, version,"
                    + " last_event, updated_at, spec, body FROM " + schema + ".task");
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
