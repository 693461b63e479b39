// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.contract.TaskFixtures.ALICE;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Task;
import io.longhaul.testkit.NeedsPostgres;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes that wait at the same time are one transaction of the database. */
@NeedsPostgres
@Timeout(60)
final class GroupsTest {

    private static final CommitResult COMMITTED = new CommitResult.Committed();

    private final String schema = TestDatabase.newSchema();
    private final PostgresTaskStore store = TestDatabase.store(schema);

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void creations_that_wait_share_one_transaction() throws Exception {
        assertThat(createTogether(tasks(1, 20))).containsOnly(COMMITTED);
        assertThat(transactionsOf(1, 20)).isEqualTo(1);
    }

    @Test
    void a_task_whose_id_is_taken_is_refused_alone() throws Exception {
        store.commit(creation(task(7)));
        var results = createTogether(tasks(1, 20));
        assertThat(results.remove(6)).isInstanceOf(CommitResult.Stale.class);
        assertThat(results).containsOnly(COMMITTED);
        assertThat(transactionsOf(1, 20)).isEqualTo(20);
    }

    @Test
    void callers_that_race_for_a_creation_key_keep_no_other_creation_out_of_the_transaction() throws Exception {
        var key = new CreationKey("once", "arguments");
        var raced = Stream.of(task(21, ALICE, key), task(22, ALICE, key));
        var results = createTogether(Stream.concat(tasks(1, 20), raced));
        assertThat(results.subList(0, 20)).containsOnly(COMMITTED);
        assertThat(results.subList(20, 22))
                .containsOnlyOnce(COMMITTED)
                .hasAtLeastOneElementOfType(CommitResult.KeyTaken.class);
        assertThat(transactionsOf(1, 22)).isEqualTo(1);
    }

    private static Stream<Task> tasks(long first, long last) {
        return LongStream.rangeClosed(first, last).mapToObj(number -> task(number));
    }

    /** Creates tasks, all of which wait behind a transaction that waits for the table. */
    private List<CommitResult> createTogether(Stream<Task> tasks) throws Exception {
        var waiting = new ArrayList<FutureTask<CommitResult>>();
        try (var connection = TestDatabase.direct().getConnection();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE " + schema + ".task IN SHARE MODE");
            var first = create(task(1_000));
            while (!isAwaited()) {
                Thread.onSpinWait();
            }
            tasks.forEach(task -> waiting.add(create(task)));
            connection.commit();
            assertThat(first.get()).isEqualTo(COMMITTED);
        }
        var results = new ArrayList<CommitResult>();
        for (var one : waiting) {
            results.add(one.get());
        }
        return results;
    }

    /** Begins to create a task, and returns when the creation waits for its commit. */
    private FutureTask<CommitResult> create(Task task) {
        var creation = new FutureTask<>(() -> store.commit(creation(task)));
        var thread = Thread.ofPlatform().start(creation);
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        return creation;
    }

    /** Whether a transaction waits for the table. */
    private boolean isAwaited() throws SQLException {
        return !TestDatabase.query(
                        "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '" + schema + ".task'::regclass")
                .isEmpty();
    }

    private int transactionsOf(long first, long last) throws SQLException {
        return TestDatabase.query("SELECT DISTINCT xmin FROM " + schema + ".task WHERE id BETWEEN '"
                        + id(first).value() + "' AND '" + id(last).value() + "'")
                .size();
    }
}
