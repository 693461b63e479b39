// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.contract;

import static io.longhaul.store.contract.TaskFixtures.ALICE;
import static io.longhaul.store.contract.TaskFixtures.BOB;
import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.answer;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.end;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.progress;
import static io.longhaul.store.contract.TaskFixtures.question;
import static io.longhaul.store.contract.TaskFixtures.result;
import static io.longhaul.store.contract.TaskFixtures.retained;
import static io.longhaul.store.contract.TaskFixtures.start;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.SharedTasks.News;
import io.longhaul.engine.store.SharedTasks.Standing;
import io.longhaul.engine.store.SharedTasks.Wanted;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Attempts;
import io.longhaul.engine.task.Execution;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/**
 * The contract of a {@link TaskStore} with {@link TaskStore#sharedTasks()}, in addition to {@link TaskStoreContract},
 * which explains how the author of a store uses these classes.
 */
public abstract class SharedStoreContract extends SharedLimitsContract {

    private static final Duration LOST_AFTER = TERM.multipliedBy(4);

    /** Claims tasks whose work runs outside of the server. */
    private static List<TaskId> claimedOfBound(TaskStore store, Lease lease) {
        return shared(store).claim(lease, new Wanted(Set.of("work"), Set.of("work"), LOST_AFTER), 10, NOW).stream()
                .map(Task::id)
                .toList();
    }

    @Test
    final void a_node_that_joins_leaves_the_lease_of_another_one_valid() {
        var running = running("one");
        var lease = other.join("other", NOW);
        assertThat(claimed(other, lease, 10)).isEmpty();
        committed(one, progress(running, 1));
    }

    @Test
    final void a_node_sees_what_another_one_has_committed() {
        var running = running("one");
        assertThat(other.find(id(1))).contains(running);
        assertThat(other.history(id(1), 0, 10)).hasSize(2);
    }

    @Test
    final void a_lapsed_lease_is_renewed_by_its_node_with_its_next_write() throws Exception {
        var running = running("one");
        pass(folder, TERM);
        committed(
                one,
                start(committed(one, creation(task(2))), running.execution().lease()));
        committed(one, progress(running, 1));
    }

    @Test
    final void a_node_whose_lease_has_lapsed_can_claim() throws Exception {
        var lease = running("one").execution().lease();
        committed(other, creation(task(2)));
        pass(folder, TERM);
        assertThat(claimed(one, lease, 10)).containsExactly(id(2));
    }

    @Test
    final void a_node_that_has_held_its_lease_for_a_term_claims_the_tasks_of_a_lapsed_one() throws Exception {
        var running = running("one");
        var lease = longHeld();
        var claimed = shared(other).claim(lease, WORKS, 10, NOW);
        assertThat(claimed).extracting(Task::id).containsExactly(running.id());
        assertThat(claimed.getFirst().execution().lease()).isEqualTo(lease);
        assertThat(claimed.getFirst().position().version())
                .isEqualTo(running.position().version() + 1);
    }

    @Test
    final void a_node_whose_lease_another_one_has_made_void_writes_nothing_any_more() throws Exception {
        var running = running("one");
        var claimed = shared(other).claim(longHeld(), WORKS, 10, NOW).getFirst();
        assertThat(one.commit(progress(running, 1))).isEqualTo(new CommitResult.Fenced());
        var worked = committed(other, progress(claimed, 2));
        assertThat(one.commit(progress(running, 3))).isEqualTo(new CommitResult.Fenced());
        assertThat(one.find(id(1))).contains(worked);
        assertThat(claimed(one, running.execution().lease(), 10)).isEmpty();
    }

    @Test
    final void after_a_pause_of_all_no_node_takes_the_tasks_of_one_that_comes_back_later() throws Exception {
        var running = running("one");
        var lease = other.join("other", NOW);
        pass(folder, TERM.multipliedBy(4));
        assertThat(claimed(other, lease, 10)).isEmpty();
        committed(one, progress(running, 1));
    }

    @Test
    final void a_lease_holds_lapses_and_is_void_for_good() throws Exception {
        var lease = running("one").execution().lease();
        assertThat(shared(one).renew(lease).standing()).isEqualTo(Standing.HELD);
        pass(folder, TERM);
        assertThat(shared(one).renew(lease).standing()).isEqualTo(Standing.HELD);
        claimed(other, longHeld(), 10);
        assertThat(shared(one).renew(lease).standing()).isEqualTo(Standing.VOID);
        pass(folder, TERM);
        assertThat(shared(one).renew(lease).standing()).isEqualTo(Standing.VOID);
    }

    @Test
    final void a_node_whose_lease_is_void_joins_anew_and_is_fenced_by_its_older_lease_no_more() throws Exception {
        var running = running("one");
        shared(other).claim(longHeld(), WORKS, 10, NOW);
        var anew = one.join("one", NOW);
        assertThat(shared(one).renew(anew).standing()).isEqualTo(Standing.HELD);
        committed(one, start(committed(one, creation(task(2))), anew));
        assertThat(one.commit(progress(running, 1))).isEqualTo(new CommitResult.Fenced());
    }

    @Test
    final void a_process_is_told_that_another_one_has_joined_under_its_name() {
        var running = running("one");
        var lease = other.join("one", NOW);
        assertThat(shared(one).renew(running.execution().lease()).standing()).isEqualTo(Standing.REPLACED);
        assertThat(one.commit(progress(running, 1))).isEqualTo(new CommitResult.Fenced());
        assertThat(claimed(other, lease, 10)).containsExactly(id(1));
    }

    @Test
    final void a_node_that_joins_anew_has_its_tasks_back_before_others_and_they_have_what_it_leaves_a_term_later()
            throws Exception {
        var running = running("one");
        committed(
                one,
                start(committed(one, creation(task(2))), running.execution().lease()));
        var lease = other.join("other", NOW);
        var anew = one.join("one", NOW);
        assertThat(claimed(other, lease, 10)).isEmpty();
        assertThat(claimed(one, anew, 1)).containsExactly(id(1));
        for (int half = 0; half < 2; half++) {
            pass(folder, TERM.dividedBy(2).plusSeconds(1));
            assertThat(shared(one).renew(anew).standing()).isEqualTo(Standing.HELD);
        }
        assertThat(claimed(other, lease, 10)).containsExactly(id(2));
    }

    @Test
    final void a_lease_that_was_left_is_void_for_all_nodes_at_once() {
        var running = running("one");
        one.leave(running.execution().lease(), NOW);
        assertThat(shared(one).renew(running.execution().lease()).standing()).isEqualTo(Standing.VOID);
        assertThat(claimed(other, other.join("other", NOW), 10)).containsExactly(id(1));
    }

    @Test
    final void a_bound_task_that_has_begun_is_left_to_its_node_until_that_has_had_no_lease_for_long() throws Exception {
        var gone = running("one").execution().lease();
        committed(one, retained(submitted(2, gone), Retention.fromCompletion(Duration.ofDays(2))));
        var lease = longHeld();
        assertThat(claimedOfBound(other, lease)).containsExactly(id(2));
        passHolding(lease, LOST_AFTER.minus(TERM));
        assertThat(claimedOfBound(other, lease)).isEmpty();
        passHolding(lease, TERM);
        assertThat(claimedOfBound(other, lease)).containsExactly(id(1));
    }

    @Test
    final void a_node_without_a_lease_that_joins_anew_has_its_bound_tasks_back_at_once() throws Exception {
        one.leave(running("one").execution().lease(), NOW);
        var lease = longHeld();
        assertThat(claimedOfBound(other, lease)).isEmpty();
        assertThat(claimedOfBound(one, one.join("one", NOW))).containsExactly(id(1));
    }

    @Test
    final void a_bound_task_whose_node_joins_anew_and_leaves_it_is_another_ones_when_that_has_been_back_for_long()
            throws Exception {
        running("one");
        var anew = one.join("one", NOW);
        var lease = other.join("other", NOW);
        for (int half = 0; half < 8; half++) {
            assertThat(claimedOfBound(other, lease)).isEmpty();
            passHolding(lease, TERM.dividedBy(2));
            assertThat(shared(one).renew(anew).standing()).isEqualTo(Standing.HELD);
        }
        assertThat(claimedOfBound(other, lease)).containsExactly(id(1));
    }

    /** A task under {@code lease} whose work has not begun. */
    private Task submitted(int number, Lease lease) {
        var task = task(number);
        var held = new Task(
                task.id(), task.spec(), task.status(), new Execution(lease, Attempts.NONE, null), task.position());
        return committed(one, new Change(null, held, creation(held).events(), lease));
    }

    private void passHolding(Lease lease, Duration time) throws Exception {
        var half = TERM.dividedBy(2);
        for (var left = time; left.isPositive(); left = left.minus(half)) {
            pass(folder, left.compareTo(half) < 0 ? left : half);
            assertThat(shared(other).renew(lease).standing()).isEqualTo(Standing.HELD);
        }
    }

    @Test
    final void a_node_that_is_drained_is_told_so_until_its_process_starts_again() {
        var lease = one.join("one", NOW);
        assertThat(shared(other).drain("one", true)).isTrue();
        assertThat(shared(one).renew(lease).standing()).isEqualTo(Standing.DRAINING);
        committed(one, progress(committed(one, start(submitted(1, lease), lease)), 1));
        assertThat(shared(other).drain("one", false)).isTrue();
        assertThat(shared(one).renew(lease).standing()).isEqualTo(Standing.HELD);
        shared(other).drain("one", true);
        assertThat(shared(one).renew(one.join("one", NOW)).standing()).isEqualTo(Standing.HELD);
    }

    @Test
    final void a_node_that_joins_anew_stays_drained_or_not_as_an_operator_last_said() {
        var lease = one.join("one", NOW);
        var drained = another(other, lease, true);
        assertThat(shared(one).renew(drained).standing()).isEqualTo(Standing.DRAINING);
        assertThat(shared(one).renew(lease).standing()).isEqualTo(Standing.REPLACED);
        var free = another(other, drained, false);
        assertThat(shared(one).renew(free).standing()).isEqualTo(Standing.HELD);
    }

    private Lease another(TaskStore operator, Lease lease, boolean isDraining) {
        assertThat(shared(operator).drain("one", isDraining)).isTrue();
        one.leave(lease, NOW);
        assertThat(shared(one).renew(lease).standing()).isEqualTo(Standing.VOID);
        return shared(one).joinAnew(lease, NOW);
    }

    @Test
    final void a_poll_finds_nothing_until_there_is_a_lease_to_renew_a_task_to_claim_or_a_word_of_another_node()
            throws Exception {
        var lease = one.join("one", NOW);
        assertThat(shared(one).news(lease, 1, WORKS)).isEqualTo(News.NONE);
        assertThat(shared(one).news(lease, 2, WORKS)).isEqualTo(News.ANY);
        var running = committed(one, start(submitted(1, lease), lease));
        assertThat(shared(one).news(lease, 1, WORKS)).isEqualTo(News.NONE);
        committed(other, retained(running, Retention.fromCompletion(Duration.ofHours(1))));
        assertThat(shared(one).news(lease, 1, WORKS)).isEqualTo(News.ANY);
    }

    @Test
    final void a_poll_finds_a_renewal_that_is_due_a_lease_that_has_lapsed_and_what_a_node_has_left() throws Exception {
        var lease = one.join("one", NOW);
        pass(folder, Duration.ofSeconds(6));
        assertThat(shared(one).news(lease, 1, WORKS)).isEqualTo(News.RENEWAL);
        assertThat(shared(one).renew(lease).standing()).isEqualTo(Standing.HELD);
        assertThat(shared(one).news(lease, 1, WORKS)).isEqualTo(News.NONE);
        pass(folder, Duration.ofSeconds(16));
        assertThat(shared(one).news(lease, 1, WORKS)).isEqualTo(News.ANY);
        var left = other.join("other", NOW);
        committed(other, start(submitted(1, left), left));
        other.leave(left, NOW);
        assertThat(shared(one).renew(lease).standing()).isEqualTo(Standing.HELD);
        assertThat(shared(one).news(lease, 1, WORKS)).isEqualTo(News.ANY);
    }

    @Test
    final void a_poll_finds_a_drain_and_a_task_without_a_node() {
        var lease = one.join("one", NOW);
        shared(other).drain("one", true);
        assertThat(shared(one).news(lease, 1, WORKS)).isEqualTo(News.ANY);
        shared(other).drain("one", false);
        assertThat(shared(one).news(lease, 1, WORKS)).isEqualTo(News.NONE);
        committed(other, creation(task(1)));
        assertThat(shared(one).news(lease, 1, WORKS)).isEqualTo(News.ANY);
    }

    @Test
    final void a_poll_finds_no_task_of_a_work_that_the_node_does_not_run() throws Exception {
        committed(other, creation(of(1, ALICE, "other work")));
        var left = other.join("other", NOW);
        committed(other, start(committed(other, creation(of(2, ALICE, "other work"))), left));
        other.leave(left, NOW);
        pass(folder, TERM);
        var lease = one.join("one", NOW);
        assertThat(shared(one).news(lease, 1, WORKS)).isEqualTo(News.NONE);
        assertThat(shared(one).news(lease, 1, wanted("third", "other work"))).isEqualTo(News.ANY);
        assertThat(shared(one).news(lease, 1, wanted())).isEqualTo(News.NONE);
        committed(other, creation(task(3)));
        assertThat(shared(one).news(lease, 1, WORKS)).isEqualTo(News.ANY);
    }

    @Test
    final void a_node_that_is_not_there_is_not_drained() {
        assertThat(shared(one).drain("one", true)).isFalse();
        one.leave(one.join("one", NOW), NOW);
        assertThat(shared(one).drain("one", true)).isFalse();
    }

    @Test
    final void tasks_are_claimed_for_the_works_of_a_node_alone() {
        committed(one, creation(of(1, ALICE, "other work")));
        committed(one, creation(of(2, ALICE, "work")));
        var lease = other.join("other", NOW);
        assertThat(claimed(other, lease, 10)).containsExactly(id(2));
        assertThat(shared(other).claim(lease, wanted(), 10, NOW)).isEmpty();
        assertThat(shared(other).claim(lease, wanted("other work", "third"), 10, NOW))
                .extracting(Task::id)
                .containsExactly(id(1));
    }

    @Test
    final void the_oldest_tasks_are_claimed_first() {
        for (int number : new int[] {3, 1, 2}) {
            committed(one, creation(task(number)));
        }
        var lease = other.join("other", NOW);
        assertThat(claimed(other, lease, 2)).containsExactly(id(1), id(2));
        assertThat(claimed(other, lease, 0)).isEmpty();
        assertThat(claimed(other, lease, 2)).containsExactly(id(3));
    }

    @Test
    final void owners_and_works_are_claimed_in_turn() {
        for (int number = 1; number < 7; number++) {
            committed(one, creation(of(number, ALICE, "work")));
        }
        committed(one, creation(of(7, BOB, "work")));
        committed(one, creation(of(8, BOB, "work")));
        committed(one, creation(of(9, ALICE, "other work")));
        var lease = other.join("other", NOW);
        assertThat(shared(other).claim(lease, wanted("work", "other work"), 5, NOW))
                .extracting(Task::id)
                .containsExactly(id(1), id(7), id(9), id(2), id(8));
    }

    @Test
    final void nodes_that_claim_at_once_never_get_the_same_task() throws Exception {
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
        // Tasks that each node left to the other, and that neither claimed.
        claimed.addAll(claimAll(one, "third"));
        assertThat(claimed).hasSize(200).doesNotHaveDuplicates();
    }

    private static List<TaskId> claimAll(TaskStore store, String node) {
        var lease = store.join(node, NOW);
        var all = new ArrayList<TaskId>();
        for (var some = claimed(store, lease, 7); !some.isEmpty(); some = claimed(store, lease, 7)) {
            all.addAll(some);
        }
        return all;
    }

    @Test
    final void the_versions_of_tasks_are_told_by_their_ids() {
        var running = running("one");
        var lease = other.join("other", NOW);
        assertThat(shared(other).versions(lease, Set.of(id(1), id(2))))
                .isEqualTo(Map.of(id(1), running.position().version()));
        assertThat(shared(other).version(id(1))).hasValue(running.position().version());
        assertThat(shared(other).version(id(2))).isEmpty();
        committed(one, progress(running, 1));
        assertThat(shared(other).versions(lease, Set.of(id(1))))
                .isEqualTo(Map.of(id(1), running.position().version() + 1));
        assertThat(shared(other).version(id(1))).hasValue(running.position().version() + 1);
        assertThat(shared(other).versions(lease, Set.of())).isEmpty();
    }

    @Test
    final void a_lease_holds_the_tasks_that_it_has_begun_or_claimed_until_their_work_has_ended() {
        var running = running("one");
        var before = running.execution().lease();
        assertThat(shared(one).held(before)).containsExactly(id(1));
        one.leave(before, NOW);
        var lease = other.join("other", NOW);
        claimed(other, lease, 10);
        assertThat(shared(one).held(before)).isEmpty();
        assertThat(shared(other).held(lease)).containsExactly(id(1));
        var claimed = other.find(id(1)).orElseThrow();
        var ended = committed(other, end(claimed, result("cancelled"), NOW, false));
        assertThat(shared(other).held(lease)).containsExactly(id(1));
        committed(other, TaskFixtures.workEnded(ended));
        assertThat(shared(other).held(lease)).isEmpty();
    }

    @Test
    final void a_node_is_told_which_of_its_tasks_others_have_written_until_it_writes_them_itself() {
        var asking = committed(one, question(running("one"), "q", Payload.ofText("?")));
        var lease = asking.execution().lease();
        assertThat(shared(one).versions(lease, Set.of())).isEmpty();
        var answered = committed(other, answer(asking, "q", Payload.ofText("!")));
        var version = Map.of(id(1), answered.position().version());
        assertThat(shared(one).versions(lease, Set.of())).isEqualTo(version);
        assertThat(shared(one).versions(lease, Set.of(id(1)))).isEqualTo(version);
        assertThat(shared(other).versions(other.join("other", NOW), Set.of())).isEmpty();
        committed(one, progress(answered, 1));
        assertThat(shared(one).versions(lease, Set.of())).isEmpty();
    }

    @Test
    final void a_node_is_told_of_the_end_of_its_task_only_while_the_work_may_run() {
        var running = running("one");
        var lease = running.execution().lease();
        var ended = committed(other, end(running, result("cancelled"), NOW, false));
        assertThat(shared(one).versions(lease, Set.of())).containsOnlyKeys(id(1));
        var stopped = committed(other, TaskFixtures.workEnded(ended));
        assertThat(shared(one).versions(lease, Set.of())).isEmpty();
        committed(other, retained(stopped, Retention.fromCompletion(Duration.ofDays(2))));
        assertThat(shared(one).versions(lease, Set.of())).isEmpty();
    }

    @Test
    final void who_claims_a_task_knows_what_others_wrote_before() {
        var running = running("one");
        committed(other, retained(running, Retention.fromCompletion(Duration.ofDays(2))));
        one.leave(running.execution().lease(), NOW);
        var lease = other.join("other", NOW);
        assertThat(claimed(other, lease, 10)).containsExactly(id(1));
        assertThat(shared(other).versions(lease, Set.of())).isEmpty();
    }
}
