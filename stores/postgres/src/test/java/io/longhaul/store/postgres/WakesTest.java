// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.end;
import static io.longhaul.store.contract.TaskFixtures.progress;
import static io.longhaul.store.contract.TaskFixtures.result;
import static io.longhaul.store.contract.TaskFixtures.start;
import static io.longhaul.store.contract.TaskFixtures.task;
import static io.longhaul.store.postgres.TestDatabase.passing;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskEngine.Creation;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.RowStore.Listening;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.fakes.FakeTime;
import io.longhaul.testkit.NeedsPostgres;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes that the database wakes. No time passes for them, so that they never look by themselves. */
@NeedsPostgres
@Timeout(60)
final class WakesTest {

    private static final Owner ANN = new Owner("ann");

    private final String schema = TestDatabase.newSchema();
    private final TaskStore one = TestDatabase.store(schema);
    private final TaskStore other = TestDatabase.store(schema);
    private final FakeTime time = new FakeTime();

    @AfterEach
    void close() {
        other.close();
        one.close();
    }

    private static Task committed(TaskStore store, Change change) {
        assertThat(store.commit(change)).isEqualTo(new CommitResult.Committed());
        return change.after();
    }

    /** What wakes a node of that name at {@code one}. */
    private BlockingQueue<String> wakes(String node) {
        var wakes = new LinkedBlockingQueue<String>();
        one.sharedTasks().orElseThrow().listen(node, () -> wakes.add(node));
        return wakes;
    }

    private static void awaitListeners(int count) throws SQLException {
        while (listeners().size() < count) {
            Thread.onSpinWait();
        }
    }

    private static List<String> listeners() throws SQLException {
        return TestDatabase.query("SELECT pid FROM pg_stat_activity WHERE query = 'LISTEN longhaul'");
    }

    @Test
    void a_node_is_woken_by_what_others_write_of_its_tasks_and_by_what_was_left() throws Exception {
        var ofOne = wakes("one");
        var ofThird = wakes("third");
        awaitListeners(1);
        var running = committed(one, start(committed(one, creation(task(1))), one.join("one", NOW)));
        assertThat(ofOne.take()).isEqualTo("one");
        assertThat(ofThird.take()).isEqualTo("third");
        var further = committed(one, progress(running, 1));
        committed(other, end(further, result("cancelled"), NOW, false));
        assertThat(ofOne.take()).isEqualTo("one");
        other.leave(other.join("other", NOW), NOW);
        assertThat(ofThird.take()).isEqualTo("third");
        assertThat(ofOne.take()).isEqualTo("one");
        assertThat(ofThird).isEmpty();
        assertThat(ofOne).isEmpty();
    }

    @Test
    void a_node_is_woken_again_after_its_connection_was_lost() throws Exception {
        var wakes = wakes("one");
        awaitListeners(1);
        var lost = listeners();
        TestDatabase.query("SELECT pg_terminate_backend(" + lost.getFirst() + ")");
        while (listeners().isEmpty() || listeners().equals(lost)) {
            Thread.onSpinWait();
        }
        other.leave(other.join("other", NOW), NOW);
        assertThat(wakes.take()).isEqualTo("one");
    }

    @Test
    void a_listener_for_rows_is_woken_by_its_name_and_knows_whether_it_hears() throws Exception {
        var wakes = new LinkedBlockingQueue<String>();
        var listening = one.rows().listen("ann", () -> wakes.add("ann"));
        awaitHearing(listening, true);
        other.rows().wake("bob");
        other.rows().wake("ann");
        assertThat(wakes.take()).isEqualTo("ann");
        listening.end().run();
        assertThat(wakes).isEmpty();
    }

    @Test
    void a_listener_for_rows_is_not_woken_for_tasks_that_were_left() throws Exception {
        var wakes = new LinkedBlockingQueue<String>();
        awaitHearing(one.rows().listen("ann", () -> wakes.add("ann")), true);
        awaitHearing(one.rows().listen("bob", () -> wakes.add("bob")), true);
        other.leave(other.join("other", NOW), NOW);
        other.rows().wake("bob");
        assertThat(wakes.take()).isEqualTo("bob");
    }

    @Test
    void a_listener_whose_connection_is_lost_hears_nothing_until_it_has_another_one() throws Exception {
        var isGone = new AtomicBoolean();
        var direct = TestDatabase.newDatabase();
        var database = passing(DataSource.class, (method, args) -> {
            if (isGone.get()) {
                throw new SQLException("gone");
            }
            return method.invoke(direct, args);
        });
        try (var store = PostgresTaskStore.at(database)) {
            var listening = store.rows().listen("ann", () -> {});
            awaitHearing(listening, true);
            isGone.set(true);
            TestDatabase.query("SELECT pg_terminate_backend(" + listeners().getFirst() + ")");
            awaitHearing(listening, false);
            isGone.set(false);
            awaitHearing(listening, true);
        }
    }

    private static void awaitHearing(Listening listening, boolean hears) {
        while (listening.hears().getAsBoolean() != hears) {
            Thread.onSpinWait();
        }
    }

    @Test
    void a_cancel_at_another_node_stops_the_work_before_its_node_looks() throws Exception {
        var begun = new CountDownLatch(1);
        var stopped = new CountDownLatch(1);
        try (var runs = engine(one, "one", begun, stopped);
                var cancels = engine(other, "other", begun, stopped)) {
            awaitListeners(2);
            var created = (TaskEngine.Created.New)
                    runs.create(new Creation(ANN, "wait", Payload.EMPTY, Payload.EMPTY, null, null));
            begun.await();
            cancels.cancel(ANN, created.task().id(), null);
            stopped.await();
        }
    }

    @Test
    void what_a_node_leaves_is_begun_at_another_one_before_that_looks() throws Exception {
        var begun = new CountDownLatch(2);
        var runs = engine(one, "one", begun, new CountDownLatch(1));
        try (var takes = engine(other, "other", begun, new CountDownLatch(1))) {
            awaitListeners(2);
            runs.create(new Creation(ANN, "wait", Payload.EMPTY, Payload.EMPTY, null, null));
            runs.close();
            begun.await();
            assertThat(takes.statistics()).isNotNull();
        }
    }

    private TaskEngine engine(TaskStore store, String node, CountDownLatch begun, CountDownLatch stopped) {
        return DurableEngine.builder()
                .store(store)
                .time(time)
                .node(node)
                .work(new Work(
                        "wait",
                        run -> {
                            begun.countDown();
                            try {
                                new CountDownLatch(1).await();
                                throw new AssertionError("nobody opens it");
                            } catch (InterruptedException e) {
                                stopped.countDown();
                                throw e;
                            }
                        },
                        CrashPolicy.RESTART,
                        null,
                        Integer.MAX_VALUE))
                .start();
    }
}
