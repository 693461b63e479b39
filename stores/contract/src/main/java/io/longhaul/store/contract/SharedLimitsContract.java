// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.contract;

import static io.longhaul.store.contract.TaskFixtures.ALICE;
import static io.longhaul.store.contract.TaskFixtures.BOB;
import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.end;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.result;
import static io.longhaul.store.contract.TaskFixtures.start;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.Allotment;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.SharedTasks;
import io.longhaul.engine.store.SharedTasks.Standing;
import io.longhaul.engine.store.SharedTasks.Wanted;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of limits that hold over all nodes, with the fixtures for tests of several nodes. */
abstract class SharedLimitsContract {

    /** For how long a lease holds. */
    protected static final Duration TERM = Duration.ofSeconds(15);

    static final Wanted WORKS = wanted("work");

    @TempDir
    Path folder;

    TaskStore one;
    TaskStore other;

    /** Opens the store as one more node does: all stores opened with the same folder share their tasks. */
    protected abstract TaskStore open(Path folder) throws Exception;

    /** Lets {@code time} pass by the clock of the store. */
    protected abstract void pass(Path folder, Duration time) throws Exception;

    @BeforeEach
    final void openBoth() throws Exception {
        one = open(folder);
        other = open(folder);
    }

    @AfterEach
    final void closeBoth() {
        other.close();
        one.close();
    }

    static Wanted wanted(String... works) {
        return new Wanted(Set.of(works), Set.of(), Duration.ZERO);
    }

    static SharedTasks shared(TaskStore store) {
        return store.sharedTasks().orElseThrow();
    }

    static Task committed(TaskStore store, Change change) {
        assertThat(store.commit(change)).isEqualTo(new CommitResult.Committed());
        return change.after();
    }

    final Task running(String node) {
        return committed(one, start(committed(one, creation(task(1))), one.join(node, NOW)));
    }

    static List<TaskId> claimed(TaskStore store, Lease lease, int limit) {
        return shared(store).claim(lease, WORKS, limit, NOW).stream()
                .map(Task::id)
                .toList();
    }

    /** A lease of the node {@code other} that has held for a term; every other lease has lapsed. */
    final Lease longHeld() throws Exception {
        var lease = other.join("other", NOW);
        for (int half = 0; half < 2; half++) {
            pass(folder, TERM.dividedBy(2).plusSeconds(1));
            assertThat(shared(other).renew(lease).standing()).isEqualTo(Standing.HELD);
        }
        return lease;
    }

    static Task of(int number, Owner owner, String work) {
        return task(number, new TaskSpec(owner, work, Payload.ofText("{}"), Payload.ofText("{}"), null, NOW));
    }

    @Test
    final void a_node_is_told_how_many_nodes_have_a_lease_that_is_not_void() throws Exception {
        var lease = one.join("one", NOW);
        assertThat(shared(one).renew(lease).nodes()).isEqualTo(1);
        var left = other.join("other", NOW);
        assertThat(shared(one).renew(lease).nodes()).isEqualTo(2);
        other.leave(left, NOW);
        assertThat(shared(one).renew(lease).nodes()).isEqualTo(1);
        var last = longHeld();
        assertThat(shared(other).renew(last).nodes()).isEqualTo(2);
        claimed(other, last, 10);
        assertThat(shared(other).renew(last).nodes()).isEqualTo(1);
    }

    private static Allotment allot(TaskStore store, Lease lease, int busy, int wanted, int oldest) {
        var want = new Allotment.Want("work", 3, busy, wanted, id(oldest));
        return shared(store).allot(lease, List.of(want)).orElseThrow().get("work");
    }

    @Test
    final void a_node_gets_the_slots_that_no_other_one_holds() {
        assertThat(allot(one, one.join("one", NOW), 0, 2, 1)).isEqualTo(new Allotment(2, 2));
        assertThat(allot(other, other.join("other", NOW), 0, 2, 2)).isEqualTo(new Allotment(1, 1));
    }

    @Test
    final void slots_that_another_node_waits_for_go_over_as_soon_as_they_are_not_busy() {
        var here = one.join("one", NOW);
        var there = other.join("other", NOW);
        assertThat(allot(one, here, 0, 5, 2)).isEqualTo(new Allotment(3, 3));
        assertThat(allot(other, there, 0, 5, 1)).isEqualTo(Allotment.NONE);
        assertThat(allot(one, here, 3, 5, 2)).isEqualTo(new Allotment(3, 1));
        assertThat(allot(other, there, 0, 5, 1)).isEqualTo(Allotment.NONE);
        assertThat(allot(one, here, 1, 5, 2)).isEqualTo(new Allotment(1, 1));
        assertThat(allot(other, there, 0, 5, 1)).isEqualTo(new Allotment(2, 2));
    }

    @Test
    final void works_have_slots_of_their_own_also_where_they_are_asked_for_together() {
        var lease = one.join("one", NOW);
        var wants =
                List.of(new Allotment.Want("work", 1, 0, 1, null), new Allotment.Want("other work", 2, 0, 5, id(1)));
        assertThat(shared(one).allot(lease, wants))
                .contains(Map.of("work", new Allotment(1, 1), "other work", new Allotment(2, 2)));
        assertThat(allot(other, other.join("other", NOW), 0, 3, 1)).isEqualTo(new Allotment(2, 2));
    }

    @Test
    final void what_a_node_has_of_slots_counts_until_its_lease_is_void() throws Exception {
        allot(one, one.join("one", NOW), 0, 3, 1);
        var lease = longHeld();
        assertThat(allot(other, lease, 0, 3, 2)).isEqualTo(Allotment.NONE);
        claimed(other, lease, 10);
        assertThat(allot(other, lease, 0, 3, 2)).isEqualTo(new Allotment(3, 3));
    }

    @Test
    final void a_void_lease_is_allotted_nothing_and_a_node_that_joins_anew_begins_without_slots() {
        var before = one.join("one", NOW);
        allot(one, before, 0, 3, 1);
        var anew = one.join("one", NOW);
        assertThat(shared(one).allot(before, List.of(new Allotment.Want("work", 3, 3, 3, null))))
                .isEmpty();
        assertThat(allot(other, other.join("other", NOW), 0, 2, 2)).isEqualTo(new Allotment(2, 2));
        assertThat(allot(one, anew, 3, 3, 1)).isEqualTo(new Allotment(1, 1));
    }

    @Test
    final void nodes_that_ask_at_once_never_hold_more_than_the_limit_together() throws Exception {
        var held = new ConcurrentHashMap<String, Integer>();
        int got = 0;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var both = List.of(
                    threads.submit(() -> askOften(one, "one", held)),
                    threads.submit(() -> askOften(other, "other", held)));
            for (var of : both) {
                got += of.get();
            }
        }
        assertThat(got).isPositive();
    }

    /**
     * Asks for slots repeatedly, keeping in {@code held} how many each node holds; returns how many the node got in
     * all.
     */
    private static int askOften(TaskStore store, String node, Map<String, Integer> held) {
        var lease = store.join(node, NOW);
        var random = new Random(node.length());
        int got = 0;
        for (int time = 0; time < 200; time++) {
            int wanted = random.nextInt(4);
            int kept = Math.min(held.getOrDefault(node, 0), wanted);
            held.put(node, kept);
            var want = new Allotment.Want("work", 3, kept, wanted, id(time));
            var given = shared(store).allot(lease, List.of(want));
            if (given.isPresent()) {
                held.put(node, given.get().get("work").held());
                assertThat(held.values().stream().mapToInt(count -> count).sum())
                        .isLessThanOrEqualTo(3);
                got += held.get(node);
            }
        }
        return got;
    }

    @Test
    final void live_tasks_of_owners_are_told_with_their_nodes() {
        var running = running("one");
        var lease = other.join("other", NOW);
        committed(other, start(committed(other, creation(task(2))), lease));
        committed(other, start(committed(other, creation(task(3))), lease));
        committed(other, creation(task(4)));
        committed(other, creation(of(5, BOB, "work")));
        assertThat(shared(one).live(Set.of(ALICE, new Owner("nobody")))).containsOnlyKeys(ALICE);
        assertThat(shared(one).live(Set.of(ALICE, BOB)).get(ALICE))
                .containsExactlyInAnyOrder(
                        new Allotment.Claim("one", 1, 1, id(1)),
                        new Allotment.Claim("other", 2, 2, id(2)),
                        new Allotment.Claim("", 1, 1, id(4)));
        committed(one, end(running, result("done"), NOW, false));
        other.leave(lease, NOW);
        assertThat(shared(one).live(Set.of(ALICE)).get(ALICE)).containsExactly(new Allotment.Claim("", 3, 3, id(2)));
    }
}
