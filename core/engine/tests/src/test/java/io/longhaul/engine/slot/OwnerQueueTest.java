// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.slot;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.creation;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskEngine.Deleted;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an owner has above its live tasks waits in a queue, where the deployer prefers that to a refusal. */
@Timeout(60)
class OwnerQueueTest {

    private final Map<TaskId, CountDownLatch> gates = new ConcurrentHashMap<>();
    private final List<TaskId> begun = new CopyOnWriteArrayList<>();
    private TestEngine site = site(1, 2);

    private TestEngine site(int live, int queued) {
        return new TestEngine(new FakeTime(), new MemoryTaskStore(), limits(live, queued), works());
    }

    private static TaskLimits limits(int live, int queued) {
        return TaskLimits.builder()
                .livePerOwner(live)
                .queuedPerOwner(queued)
                .handBackGrace(Duration.ofMillis(100))
                .build();
    }

    private Work[] works() {
        return new Work[] {work("w", CrashPolicy.RESTART, this::run)};
    }

    private Outcome run(Run run) throws InterruptedException {
        begun.add(run.id());
        gate(run.id()).await();
        return result("done");
    }

    private CountDownLatch gate(TaskId id) {
        return gates.computeIfAbsent(id, unused -> new CountDownLatch(1));
    }

    private void finish(Task task) throws InterruptedException {
        gate(task.id()).countDown();
        site.awaitEnd(task);
    }

    private void awaitBegin(Task task) throws InterruptedException {
        site.await(task, now -> now.state() == TaskState.WORKING);
    }

    private TaskState state(Task task) {
        return site.find(task).state();
    }

    @AfterEach
    void close() {
        gates.values().forEach(CountDownLatch::countDown);
        site.close();
    }

    @Test
    void tasks_above_the_limit_wait_in_their_order_and_one_more_than_the_queue_holds_is_refused() throws Exception {
        var first = site.create("w");
        var second = site.create("w");
        var third = site.create("w");
        assertThat(first.state()).isEqualTo(TaskState.WORKING);
        assertThat(List.of(second.state(), third.state())).containsOnly(TaskState.SUBMITTED);
        assertThat(site.engine.create(creation("w"))).isEqualTo(new Created.TooManyLive(3));
        finish(first);
        awaitBegin(second);
        assertThat(state(third)).isEqualTo(TaskState.SUBMITTED);
        var fourth = site.create("w");
        assertThat(site.engine.create(creation("w"))).isEqualTo(new Created.TooManyLive(3));
        for (var task : List.of(second, third, fourth)) {
            finish(task);
        }
        assertThat(begun).containsExactly(first.id(), second.id(), third.id(), fourth.id());
    }

    @Test
    void the_queue_of_one_caller_is_in_the_way_of_no_other() throws Exception {
        site.create("w");
        var waits = site.create("w");
        var other = ((Created.New) site.engine.create(creation("w"), "other")).task();
        assertThat(other.state()).isEqualTo(TaskState.WORKING);
        finish(other);
        assertThat(state(waits)).isEqualTo(TaskState.SUBMITTED);
    }

    @Test
    void a_task_that_is_cancelled_in_the_queue_never_runs_and_makes_room() throws Exception {
        var first = site.create("w");
        var second = site.create("w");
        var third = site.create("w");
        site.engine.cancel(ANN, second.id(), "no more");
        assertThat(state(second)).isEqualTo(TaskState.CANCELLED);
        assertThat(site.engine.delete(ANN, second.id())).isInstanceOf(Deleted.Done.class);
        var fourth = site.create("w");
        assertThat(site.engine.create(creation("w"))).isEqualTo(new Created.TooManyLive(3));
        for (var task : List.of(first, third, fourth)) {
            finish(task);
        }
        assertThat(begun).containsExactly(first.id(), third.id(), fourth.id());
    }

    @Test
    void a_live_task_that_is_cancelled_gives_its_turn_to_the_next() throws Exception {
        var first = site.create("w");
        var second = site.create("w");
        site.engine.cancel(ANN, first.id(), "no more");
        awaitBegin(second);
    }

    @Test
    void a_task_that_waits_for_an_answer_is_live_and_keeps_its_turn() throws Exception {
        site.close();
        site = new TestEngine(new FakeTime(), new MemoryTaskStore(), limits(1, 1), work("asks", run -> {
            run.ask(null, "ask", TestEngine.text("?"), null);
            return result("done");
        }));
        site.awaitQuestion(site.create("asks"));
        assertThat(site.create("asks").state()).isEqualTo(TaskState.SUBMITTED);
    }

    @Test
    void a_repeated_key_finds_its_task_in_a_full_queue() {
        site.create("w");
        var key = new CreationKey("k", "digest");
        var queued = ((Created.New) site.engine.create(creation("w", key, null))).task();
        site.create("w");
        assertThat(site.engine.create(creation("w", key, null))).isEqualTo(new Created.Same(queued));
    }

    @Test
    void after_a_restart_the_queue_is_what_it_was() throws Exception {
        var first = site.create("w");
        // Tasks of one millisecond have no order after a restart.
        site.time.advance(Duration.ofMillis(1));
        var second = site.create("w");
        site.time.advance(Duration.ofMillis(1));
        var third = site.create("w");
        site = site.crash(works());
        site.await(first, now -> now.execution().attempts().started() == 2);
        assertThat(List.of(state(second), state(third))).containsOnly(TaskState.SUBMITTED);
        assertThat(site.engine.create(creation("w"))).isEqualTo(new Created.TooManyLive(3));
        for (var task : List.of(first, second, third)) {
            finish(task);
        }
        assertThat(begun).containsSubsequence(first.id(), second.id(), third.id());
    }

    /** Creates, ends, cancels and crashes in an order drawn from a seed. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void no_more_of_an_owner_are_live_than_allowed_and_each_gets_its_turn(long seed) throws Exception {
        site.close();
        site = site(3, 5);
        var random = new Random(seed);
        var tasks = new ArrayList<Task>();
        for (int step = 0; step < 150; step++) {
            int drawn = random.nextInt(100);
            if (drawn < 50) {
                if (site.engine.create(creation("w")) instanceof Created.New fresh) {
                    tasks.add(fresh.task());
                }
            } else if (drawn < 80 && !tasks.isEmpty()) {
                gate(tasks.get(random.nextInt(tasks.size())).id()).countDown();
            } else if (drawn < 95 && !tasks.isEmpty()) {
                site.engine.cancel(ANN, tasks.get(random.nextInt(tasks.size())).id(), "no more");
            } else if (drawn >= 95) {
                site = site.crash(works());
            }
            assertBounds(tasks);
        }
        tasks.forEach(task -> gate(task.id()).countDown());
        for (var task : tasks) {
            site.awaitEnd(task);
        }
        for (int i = 0; i < 8; i++) {
            tasks.add(site.create("w"));
        }
        assertThat(site.engine.create(creation("w"))).isEqualTo(new Created.TooManyLive(8));
    }

    private void assertBounds(List<Task> tasks) {
        var unended = tasks.stream().filter(task -> !stored(task).isTerminal()).toList();
        assertThat(unended.size()).isLessThanOrEqualTo(8);
        // What is live in a first look and in a second one was live between them, all at once.
        var live = unended.stream().filter(this::isLive).toList().stream().filter(this::isLive);
        assertThat(live.count()).isLessThanOrEqualTo(3);
    }

    private boolean isLive(Task task) {
        return stored(task) != TaskState.SUBMITTED && !stored(task).isTerminal();
    }

    /** The engine makes room for the next task after the commit of an end, and before it shows the end. */
    private TaskState stored(Task task) {
        return site.store.find(task.id()).orElseThrow().state();
    }
}
