// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.contract;

import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.change;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.end;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.progress;
import static io.longhaul.store.contract.TaskFixtures.result;
import static io.longhaul.store.contract.TaskFixtures.start;
import static io.longhaul.store.contract.TaskFixtures.task;
import static io.longhaul.store.contract.TaskFixtures.workEnded;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Attempts;
import io.longhaul.engine.task.Execution;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Task;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of every {@link TaskStore} for leases and claims. */
abstract class TaskLeaseContract extends StoreContract {

    TaskLeaseContract(TaskStoreContract stores) {
        super(stores);
    }

    @Test
    void every_join_raises_the_epoch_also_across_restarts() throws Exception {
        var first = store.join("a", NOW);
        var second = store.join("a", NOW);
        var third = store.join("b", NOW);
        store = reopen(store);
        var fourth = store.join("a", NOW);
        assertThat(List.of(first.epoch(), second.epoch(), third.epoch(), fourth.epoch()))
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(fourth.node()).isEqualTo("a");
    }

    @Test
    void a_zombie_of_the_same_node_can_never_write_again() {
        var old = store.join("a", NOW);
        var running = committed(start(created(task(1)), old));
        store.join("a", NOW);
        assertThat(store.commit(progress(running, 1))).isEqualTo(new CommitResult.Fenced());
        assertThat(store.find(id(1))).contains(running);
        assertThat(store.history(id(1), 0, 10)).hasSize(2);
    }

    @Test
    void a_node_is_fenced_by_a_join_of_another_one_unless_the_store_is_shared() {
        var running = committed(start(created(task(1)), store.join("a", NOW)));
        store.join("b", NOW);
        assertThat(store.commit(progress(running, 1)))
                .isEqualTo(store.sharedTasks().isPresent() ? new CommitResult.Committed() : new CommitResult.Fenced());
    }

    @Test
    void a_zombie_is_told_that_it_is_fenced_rather_than_stale() {
        var running = committed(start(created(task(1)), store.join("a", NOW)));
        store.claim(store.join("a", NOW), 10, NOW);
        assertThat(store.commit(progress(running, 1))).isEqualTo(new CommitResult.Fenced());
    }

    @Test
    void a_zombie_cannot_start_create_or_claim() {
        var old = store.join("a", NOW);
        var waiting = created(task(1));
        store.join("a", NOW);
        assertThat(store.commit(start(waiting, old))).isEqualTo(new CommitResult.Fenced());
        assertThat(store.commit(creationUnder(old, task(2)))).isEqualTo(new CommitResult.Fenced());
        assertThat(store.find(id(2))).isEmpty();
        assertThat(store.claim(old, 10, NOW)).isEmpty();
        assertThat(store.find(id(1))).contains(waiting);
    }

    @Test
    void a_lease_that_was_never_given_cannot_write() {
        var waiting = created(task(1));
        assertThat(store.commit(start(waiting, new Lease("a", 1)))).isEqualTo(new CommitResult.Fenced());
        var lease = store.join("a", NOW);
        var forged = new Lease("b", lease.epoch());
        assertThat(store.commit(start(waiting, forged))).isEqualTo(new CommitResult.Fenced());
    }

    @Test
    void a_valid_lease_may_take_a_task_that_nobody_holds() {
        var lease = store.join("a", NOW);
        var started = committed(start(created(task(1)), lease));
        assertThat(store.find(id(1))).contains(started);
        assertThat(started.execution().lease()).isEqualTo(lease);
    }

    @Test
    void a_valid_lease_may_create_a_task_that_it_holds_from_the_start() {
        var lease = store.join("a", NOW);
        var creation = creationUnder(lease, task(1));
        assertThat(store.commit(creation)).isEqualTo(new CommitResult.Committed());
        assertThat(store.find(id(1))).contains(creation.after());
    }

    @Test
    void a_valid_lease_that_is_neither_the_tasks_own_nor_becomes_it_cannot_write() {
        var lease = store.join("a", NOW);
        var waiting = created(task(1));
        var change = change(waiting, waiting.status(), waiting.execution(), lease);
        assertThat(store.commit(change)).isEqualTo(new CommitResult.Fenced());
        assertThat(store.commit(new Change(null, task(2), creation(task(2)).events(), lease)))
                .isEqualTo(new CommitResult.Fenced());
    }

    @Test
    void a_holder_may_give_its_task_back() {
        var running = committed(start(created(task(1)), store.join("a", NOW)));
        var free = new Execution(null, running.execution().attempts(), null);
        var back = committed(
                change(running, running.status(), free, running.execution().lease()));
        assertThat(store.find(id(1))).contains(back);
    }

    @Test
    void without_a_fence_anybody_may_write() {
        var running = committed(start(created(task(1)), store.join("a", NOW)));
        store.join("a", NOW);
        committed(end(running, result("cancelled by its owner"), NOW, false));
    }

    @Test
    void claim_takes_over_what_an_older_lease_held_and_what_nobody_held() {
        var old = store.join("a", NOW);
        var running = committed(start(created(task(1)), old));
        var waiting = created(task(2));
        var lease = store.join("a", NOW);
        var later = NOW.plusSeconds(1);
        var claimed = store.claim(lease, 10, later);
        assertThat(claimed).extracting(Task::id).containsExactlyInAnyOrder(running.id(), waiting.id());
        assertThat(claimed).allSatisfy(task -> {
            assertThat(task.execution().lease()).isEqualTo(lease);
            assertThat(task.position().updatedAt()).isEqualTo(later);
            assertThat(store.find(task.id())).contains(task);
        });
        var after = claimed.stream()
                .filter(task -> task.id().equals(id(1)))
                .findFirst()
                .orElseThrow();
        assertThat(after.position().version()).isEqualTo(running.position().version() + 1);
        assertThat(after.position().lastEvent()).isEqualTo(running.position().lastEvent());
        assertThat(after.execution().attempts()).isEqualTo(running.execution().attempts());
        committed(progress(after, 1));
    }

    @Test
    void claim_leaves_alone_what_is_held_by_a_valid_lease() {
        var lease = store.join("a", NOW);
        committed(start(created(task(1)), lease));
        assertThat(store.claim(lease, 10, NOW)).isEmpty();
    }

    @Test
    void claim_takes_ended_tasks_only_while_their_work_has_not_ended() {
        var lease = store.join("a", NOW);
        var cancelled = committed(end(committed(start(created(task(1)), lease)), result("x"), NOW, false));
        committed(end(committed(start(created(task(2)), lease)), result("x"), NOW, true));
        var stopped = committed(end(committed(start(created(task(3)), lease)), result("x"), NOW, false));
        committed(workEnded(stopped));
        var claimed = store.claim(store.join("a", NOW), 10, NOW);
        assertThat(claimed).extracting(Task::id).containsExactly(cancelled.id());
        assertThat(claimed.getFirst().ending()).isEqualTo(cancelled.ending());
    }

    @Test
    void claim_in_batches_comes_to_every_task_once() {
        for (var i = 0; i < 25; i++) {
            created(task(i));
        }
        var lease = store.join("a", NOW);
        var claimed = new ArrayList<Task>();
        for (var batch = store.claim(lease, 10, NOW); !batch.isEmpty(); batch = store.claim(lease, 10, NOW)) {
            assertThat(batch).hasSizeLessThanOrEqualTo(10);
            claimed.addAll(batch);
        }
        assertThat(claimed).extracting(Task::id).hasSize(25).doesNotHaveDuplicates();
        assertThat(store.claim(lease, 0, NOW)).isEmpty();
    }

    @Test
    void a_lease_handed_back_is_void_at_once() {
        var lease = store.join("a", NOW);
        var running = committed(start(created(task(1)), lease));
        store.leave(lease, NOW);
        assertThat(store.commit(progress(running, 1))).isEqualTo(new CommitResult.Fenced());
        assertThat(store.claim(lease, 10, NOW)).isEmpty();
        assertThat(store.claim(store.join("b", NOW), 10, NOW)).hasSize(1);
    }

    @Test
    void handing_back_an_older_lease_does_not_touch_the_valid_one() {
        var old = store.join("a", NOW);
        var lease = store.join("a", NOW);
        store.leave(old, NOW);
        committed(start(created(task(1)), lease));
    }

    @Test
    void a_restart_leaves_the_lease_valid_until_the_next_join() throws Exception {
        var lease = store.join("a", NOW);
        var running = committed(start(created(task(1)), lease));
        store = reopen(store);
        var again = committed(progress(running, 1));
        store.join("a", NOW);
        assertThat(store.commit(progress(again, 2))).isEqualTo(new CommitResult.Fenced());
    }

    private static Change creationUnder(Lease lease, Task task) {
        var execution = new Execution(lease, new Attempts(1, 0), null);
        var held = new Task(task.id(), task.spec(), task.status(), execution, task.position());
        return new Change(null, held, creation(task).events(), lease);
    }
}
