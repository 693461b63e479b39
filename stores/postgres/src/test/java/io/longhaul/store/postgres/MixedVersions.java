// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.contract.TaskFixtures.ALICE;
import static io.longhaul.store.contract.TaskFixtures.BOB;
import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.answer;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.end;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.progress;
import static io.longhaul.store.contract.TaskFixtures.result;
import static io.longhaul.store.contract.TaskFixtures.start;
import static io.longhaul.store.contract.TaskFixtures.task;
import static io.longhaul.store.contract.TaskFixtures.workEnded;
import static io.longhaul.store.postgres.PastTasks.ASKING;
import static io.longhaul.store.postgres.PastTasks.DONE;
import static io.longhaul.store.postgres.PastTasks.LARGE;
import static io.longhaul.store.postgres.PastTasks.OLD;
import static io.longhaul.store.postgres.PastTasks.RUNNING;
import static io.longhaul.store.postgres.PastTasks.SESSION;
import static io.longhaul.store.postgres.PastTasks.SHORT;
import static io.longhaul.store.postgres.PastTasks.STOPPING;
import static io.longhaul.store.postgres.PastTasks.WAITING;
import static io.longhaul.store.postgres.PastTasks.cancel;
import static io.longhaul.store.postgres.PastTasks.commit;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.SharedTasks;
import io.longhaul.engine.store.SharedTasks.Standing;
import io.longhaul.engine.store.SharedTasks.Wanted;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Execution;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskPosition;
import io.longhaul.engine.task.TaskState;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * What two nodes do with one database while a set of nodes is upgraded: one has filled the database and lives on, the
 * other one opens it then, brings its schema to its own version, and joins. What the first one does in a step is never
 * answered in another way because the second one is newer.
 *
 * <p>To be changed by new steps at its end only: the recordings of older versions have the steps that are here.
 */
final class MixedVersions {

    private static final Wanted WORKS = new Wanted(Set.of("work"), Set.of(), Duration.ZERO);
    private static final StoredRow LATER = new StoredRow("session", "s", Payload.ofText("{}"), NOW.plusSeconds(99));

    private final DataSource database;
    private final OlderNode old;

    MixedVersions(DataSource database, OlderNode old) {
        this.database = database;
        this.old = old;
    }

    private static SharedTasks shared(TaskStore store) {
        return store.sharedTasks().orElseThrow();
    }

    /** @param opened the second node's store, which is opened when its time has come */
    void run(Supplier<TaskStore> opened) throws SQLException {
        // In a recording the time of the lease is long over; its node has not missed it yet.
        letLapse("old");
        old.does(
                "renews its lease",
                store -> assertThat(shared(store).renew(OLD).standing()).isEqualTo(Standing.HELD));
        old.does("reads", MixedVersions::read);
        letHold("old");
        try (var today = opened.get()) {
            var lease = today.join("today", NOW);
            PastTasks.areIn(today);
            assertThat(shared(today).claim(lease, WORKS, 9, NOW))
                    .as("what the first node has is its own while its lease holds")
                    .containsExactly(claimed(WAITING, lease));
            old.does("reads again", MixedVersions::read);
            writeToOneAnother(today, lease);
            workOn(today, lease);
            var lost = takeOver(today, lease);
            comeBack(today, lease, lost);
        }
    }

    private static void read(TaskStore store) {
        assertThat(store.find(RUNNING.id())).contains(RUNNING);
        assertThat(store.find(id(99))).isEmpty();
        assertThat(store.findByKey(BOB, "key")).contains(LARGE);
        assertThat(store.history(ASKING.id(), 0, 100)).hasSize(3);
        assertThat(ids(store.list(TaskFilter.of(ALICE), null, 2).tasks())).containsExactly(SHORT.id(), WAITING.id());
        assertThat(store.list(TaskFilter.of(ALICE).in(TaskState.COMPLETED), null, 9)
                        .tasks())
                .containsExactly(DONE);
        assertThat(store.routed(ALICE, new Route("g", null), null, 9)).isEmpty();
        assertThat(shared(store).versions(OLD, Set.of(DONE.id()))).isEqualTo(versions(DONE, STOPPING));
        assertThat(shared(store).version(DONE.id())).hasValue(DONE.position().version());
        assertThat(store.rows().get("session", "s", NOW)).contains(SESSION);
        assertThat(store.rows().list("session", null, 9, NOW)).containsExactly(SESSION);
    }

    private static List<TaskId> ids(List<Task> tasks) {
        return tasks.stream().map(Task::id).toList();
    }

    private static Map<TaskId, Long> versions(Task... tasks) {
        return Stream.of(tasks)
                .collect(Collectors.toMap(Task::id, task -> task.position().version()));
    }

    /** Each cancels and answers what the other one runs, and hears of it. */
    private void writeToOneAnother(TaskStore today, Lease lease) throws SQLException {
        var cancelled = cancel(RUNNING);
        commit(today, cancelled);
        old.does("hears of a cancel", store -> {
            assertThat(shared(store).versions(OLD, Set.of())).isEqualTo(versions(cancelled.after(), STOPPING));
            commit(store, workEnded(cancelled.after()));
            commit(store, workEnded(STOPPING));
            assertThat(shared(store).versions(OLD, Set.of())).isEmpty();
        });
        assertThat(today.find(RUNNING.id()))
                .contains(workEnded(cancelled.after()).after());

        var answered = answer(ASKING, "q", Payload.ofText("{}"));
        commit(today, answered);
        old.does("hears an answer", store -> {
            assertThat(store.find(ASKING.id())).contains(answered.after());
            commit(store, progress(answered.after(), 60));
            assertThat(shared(store).versions(OLD, Set.of())).isEmpty();
        });

        var begun = start(claimed(WAITING, lease), lease);
        commit(today, begun);
        old.does("cancels", store -> commit(store, cancel(begun.after())));
        assertThat(shared(today).versions(lease, Set.of()))
                .isEqualTo(versions(cancel(begun.after()).after()));
        commit(today, workEnded(cancel(begun.after()).after()));
    }

    /** The first node creates tasks, ends them, keeps rows and removes what has expired; the second one sees it. */
    private void workOn(TaskStore today, Lease lease) throws SQLException {
        var created = claimedAtCreation(task(8), OLD);
        var ended = fenced(end(created, result("done"), NOW, true), OLD);
        old.does("creates a task and ends it", store -> {
            commit(store, new Change(null, created, creation(task(8)).events(), OLD));
            commit(store, ended);
            assertThat(store.commit(creation(task(8)))).isEqualTo(new CommitResult.Stale());
        });
        assertThat(today.find(ended.after().id())).contains(ended.after());
        assertThat(today.history(ended.after().id(), 0, 9)).hasSize(3);

        old.does("keeps a session", store -> {
            store.rows().change("session", "s", NOW, row -> LATER);
            store.rows().put(new StoredRow("session", "gone", Payload.EMPTY, NOW.minusSeconds(3_600)));
            store.rows().remove("session", "none");
        });
        assertThat(today.rows().get("session", "s", NOW.plusSeconds(50))).contains(LATER);
        today.rows().change("session", "s", NOW, row -> SESSION);
        old.does("sweeps", store -> {
            assertThat(store.sweep(NOW.plusSeconds(60), 100)).isEqualTo(1);
            assertThat(store.rows().sweep(NOW, 100)).isEqualTo(1);
            assertThat(store.rows().get("session", "s", NOW)).contains(SESSION);
            assertThat(store.remove(DONE.id())).isTrue();
        });
        assertThat(today.find(SHORT.id())).isEmpty();
        assertThat(today.history(DONE.id(), 0, 9)).isEmpty();
        old.does(
                "finds nothing to claim",
                store -> assertThat(shared(store).claim(OLD, WORKS, 9, NOW)).isEmpty());
        assertThat(shared(today).claim(lease, WORKS, 9, NOW)).isEmpty();
    }

    /** The lease of the first node lapses, and the second one has its tasks. */
    private Task takeOver(TaskStore today, Lease lease) throws SQLException {
        var asked =
                progress(answer(ASKING, "q", Payload.ofText("{}")).after(), 60).after();
        letLapse(OLD.node());
        assertThat(shared(today).claim(lease, WORKS, 9, NOW))
                .as("a node that has joined just now makes no lease void")
                .isEmpty();
        haveHeldForLong(lease.node());
        var taken = claimed(asked, lease);
        assertThat(shared(today).claim(lease, WORKS, 9, NOW)).containsExactly(taken);
        old.does("is fenced", store -> {
            assertThat(store.commit(progress(asked, 70))).isEqualTo(new CommitResult.Fenced());
            assertThat(store.commit(new Change(
                            null,
                            claimedAtCreation(task(9), OLD),
                            creation(task(9)).events(),
                            OLD)))
                    .isEqualTo(new CommitResult.Fenced());
            assertThat(shared(store).claim(OLD, WORKS, 9, NOW)).isEmpty();
            assertThat(shared(store).renew(OLD).standing()).isEqualTo(Standing.VOID);
        });
        assertThat(today.find(ASKING.id())).contains(taken);
        var further = progress(taken, 80);
        commit(today, further);
        return further.after();
    }

    /** The first node joins anew, has what the second one leaves, and ends in good order. */
    private void comeBack(TaskStore today, Lease lease, Task lost) throws SQLException {
        var again = new Lease(OLD.node(), lease.epoch() + 1);
        old.does("joins anew", store -> {
            assertThat(store.join(OLD.node(), NOW)).isEqualTo(again);
            assertThat(shared(store).claim(again, WORKS, 9, NOW)).isEmpty();
        });
        today.leave(lease, NOW);
        letHold(OLD.node());
        var back = claimed(lost, again);
        var done = fenced(end(back, result("done"), NOW, false), again);
        old.does("claims", store -> {
            assertThat(shared(store).claim(again, WORKS, 9, NOW)).containsExactly(back);
            commit(store, done);
        });
        old.does("leaves", store -> store.leave(again, NOW));
        var next = today.join("today", NOW);
        assertThat(shared(today).claim(next, WORKS, 9, NOW)).containsExactly(claimed(done.after(), next));
    }

    private static Task claimed(Task task, Lease by) {
        var execution =
                new Execution(by, task.execution().attempts(), task.execution().handle());
        return new Task(
                task.id(),
                task.spec(),
                task.status(),
                execution,
                TaskEvent.positionAfter(task.position(), List.of(), NOW));
    }

    /** A task that its node has begun as it created it. */
    private static Task claimedAtCreation(Task task, Lease by) {
        var started = start(task, by).after();
        return new Task(task.id(), task.spec(), started.status(), started.execution(), new TaskPosition(1, 2, NOW));
    }

    private static Change fenced(Change change, Lease by) {
        return new Change(change.before(), change.after(), change.events(), by);
    }

    private void letLapse(String node) throws SQLException {
        set("expires_at = clock_timestamp()", node);
    }

    /** So long that no renewal is due, however slow the machine. */
    private void letHold(String node) throws SQLException {
        set("expires_at = clock_timestamp() + interval '1 hour'", node);
    }

    private void haveHeldForLong(String node) throws SQLException {
        set("held_since = clock_timestamp() - interval '1 hour'", node);
    }

    private void set(String what, String node) throws SQLException {
        TestDatabase.run(database, "UPDATE longhaul.lease SET " + what + " WHERE node = '" + node + "'");
    }
}
