// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.node;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.NEVER;
import static io.longhaul.engine.TestEngine.creation;
import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.SharedTasks.Standing;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node that is drained: it begins nothing, and gives away what it has not begun. */
@Timeout(60)
class DrainedNodesTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final TaskLimits ONE_AT_ONCE = TaskLimits.builder()
            .handBackGrace(Duration.ofMillis(200))
            .running(1)
            .build();

    private final FakeTime time = new FakeTime();
    private final MemoryTaskStore store = MemoryTaskStore.shared(time);
    private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
    private final CountDownLatch go = new CountDownLatch(1);
    private final List<TaskEngine> all = new ArrayList<>();

    private static final Duration DAY = Duration.ofDays(1);

    private TaskEngine node(String name) {
        Backend waits = run -> {
            begun.add(name);
            go.await();
            return result("done by " + name);
        };
        Backend asks = run -> {
            begun.add(name);
            return result(run.ask("q", "ask", text("?"), DAY).text() + " at " + name);
        };
        var node = DurableEngine.builder()
                .store(store)
                .time(time)
                .limits(ONE_AT_ONCE)
                .node(name)
                .work(new Work("wait", waits, CrashPolicy.RESTART, null, Integer.MAX_VALUE))
                .work(new Work("ask", asks, CrashPolicy.RESTART, null, Integer.MAX_VALUE))
                .work(new Work("job", jobThatAsks(asks), CrashPolicy.REATTACH, null, Integer.MAX_VALUE))
                .start();
        all.add(node);
        return node;
    }

    /** A job as a command is: only the node that has begun it can find it. */
    private static Backend jobThatAsks(Backend asks) {
        return new Backend() {
            @Override
            public Outcome run(Run run) throws Exception {
                return asks.run(run);
            }

            @Override
            public boolean isBoundToNode() {
                return true;
            }
        };
    }

    private String holder(TaskEngine node, Task task) {
        var lease = node.find(ANN, task.id()).orElseThrow().execution().lease();
        return lease == null ? "" : lease.node();
    }

    private Task asking(TaskEngine node, String work) throws InterruptedException {
        var task = create(node, work);
        while (node.find(ANN, task.id()).orElseThrow().state() != TaskState.INPUT_REQUIRED) {
            step();
        }
        return task;
    }

    @AfterEach
    void close() {
        go.countDown();
        all.forEach(TaskEngine::close);
    }

    private void drain(TaskEngine node, String name, boolean isDraining) throws InterruptedException {
        assertThat(store.sharedTasks().orElseThrow().drain(name, isDraining)).isTrue();
        while (node.standing() != (isDraining ? Standing.DRAINING : Standing.HELD)) {
            step();
        }
    }

    private void step() throws InterruptedException {
        // Each node has set the alarm of its next look: a node that time runs ahead of loses its lease.
        time.awaitAlarmsWithin(SECOND, all.size());
        time.advance(SECOND);
    }

    private String next() throws InterruptedException {
        while (true) {
            var name = begun.poll(1, TimeUnit.MILLISECONDS);
            if (name != null) {
                return name;
            }
            step();
        }
    }

    private static Task create(TaskEngine node, String work) {
        return ((TaskEngine.Created.New) node.create(creation(work))).task();
    }

    private static Task ended(TaskEngine node, Task task) throws InterruptedException {
        var now = node.find(ANN, task.id()).orElseThrow();
        while (!now.state().isTerminal()) {
            now = node.awaitChange(ANN, task.id(), now.position().version(), NEVER)
                    .orElseThrow();
        }
        return now;
    }

    @Test
    void what_runs_at_a_drained_node_goes_on_there_and_what_waits_there_is_begun_at_another_one() throws Exception {
        var one = node("one");
        var running = create(one, "wait");
        assertThat(next()).isEqualTo("one");
        var waiting = create(one, "wait");
        node("other");
        drain(one, "one", true);
        assertThat(next()).isEqualTo("other");
        go.countDown();
        assertThat(outcome(ended(one, running))).isEqualTo(result("done by one"));
        while (!one.find(ANN, waiting.id()).orElseThrow().state().isTerminal()) {
            step();
        }
        assertThat(outcome(one.find(ANN, waiting.id()).orElseThrow())).isEqualTo(result("done by other"));
    }

    @Test
    void a_task_that_is_created_at_a_drained_node_is_begun_at_another_one() throws Exception {
        var one = node("one");
        node("other");
        drain(one, "one", true);
        assertThat(create(one, "wait").state()).isEqualTo(TaskState.SUBMITTED);
        assertThat(next()).isEqualTo("other");
    }

    @Test
    void a_task_that_waits_for_an_answer_goes_on_at_another_node() throws Exception {
        var one = node("one");
        var asking = create(one, "ask");
        assertThat(next()).isEqualTo("one");
        while (one.find(ANN, asking.id()).orElseThrow().state() != TaskState.INPUT_REQUIRED) {
            step();
        }
        node("other");
        drain(one, "one", true);
        while (!(one.find(ANN, asking.id()).orElseThrow().execution().lease() instanceof Lease taken)
                || !taken.node().equals("other")) {
            step();
        }
        one.answer(ANN, asking.id(), Map.of("q", text("yes")));
        assertThat(next()).isEqualTo("other");
        while (!one.find(ANN, asking.id()).orElseThrow().state().isTerminal()) {
            step();
        }
        assertThat(outcome(one.find(ANN, asking.id()).orElseThrow())).isEqualTo(result("yes at other"));
    }

    @Test
    void a_job_that_waits_for_an_answer_goes_on_at_another_node() throws Exception {
        var one = node("one");
        var job = asking(one, "job");
        assertThat(next()).isEqualTo("one");
        node("other");
        drain(one, "one", true);
        assertThat(next()).isEqualTo("other");
        assertThat(holder(one, job)).isEqualTo("other");
        one.answer(ANN, job.id(), Map.of("q", text("yes")));
        while (!one.find(ANN, job.id()).orElseThrow().state().isTerminal()) {
            step();
        }
        assertThat(outcome(one.find(ANN, job.id()).orElseThrow())).isEqualTo(result("yes at other"));
    }

    @Test
    void a_job_that_waits_for_an_answer_goes_on_at_another_node_when_its_own_ends_in_good_order() throws Exception {
        var one = node("one");
        var job = asking(one, "job");
        assertThat(next()).isEqualTo("one");
        var other = node("other");
        all.remove(one);
        one.beginClose();
        one.close();
        other.answer(ANN, job.id(), Map.of("q", text("yes")));
        assertThat(next()).isEqualTo("other");
        assertThat(time.now()).isBefore(FakeTime.START.plus(TaskLimits.DEFAULT.nodeLostAfter()));
        while (!other.find(ANN, job.id()).orElseThrow().state().isTerminal()) {
            step();
        }
        assertThat(outcome(other.find(ANN, job.id()).orElseThrow())).isEqualTo(result("yes at other"));
    }

    @Test
    void the_tasks_of_a_drained_node_are_spread_over_the_others() throws Exception {
        var one = node("one");
        var waiting = new ArrayList<Task>();
        for (int task = 0; task < 45; task++) {
            waiting.add(asking(one, "ask"));
        }
        node("two");
        node("three");
        drain(one, "one", true);
        while (waiting.stream().anyMatch(task -> List.of("", "one").contains(holder(one, task)))) {
            step();
        }
        // Claims double from 4. A node that has looked right before the tasks became free is one claim behind: 28 and
        // 12.
        for (String name : List.of("two", "three")) {
            assertThat(waiting.stream().filter(task -> holder(one, task).equals(name)))
                    .as(name)
                    .hasSizeGreaterThanOrEqualTo(12);
        }
    }

    @Test
    void a_node_that_is_drained_no_more_begins_tasks_again() throws Exception {
        var one = node("one");
        drain(one, "one", true);
        create(one, "wait");
        step();
        step();
        assertThat(begun).isEmpty();
        drain(one, "one", false);
        assertThat(next()).isEqualTo("one");
    }

    @Test
    void a_drained_node_that_is_taken_for_dead_stays_drained_when_it_joins_anew() throws Exception {
        var one = node("one");
        drain(one, "one", true);
        store.leave(new Lease("one", 1), time.now());
        step();
        step();
        step();
        assertThat(one.standing()).isEqualTo(Standing.DRAINING);
    }

    @Test
    void a_drained_node_that_is_taken_for_dead_twice_in_a_row_stays_drained() throws Exception {
        var one = node("one");
        drain(one, "one", true);
        store.leave(new Lease("one", 1), time.now());
        step();
        time.awaitAlarmsWithin(SECOND, all.size());
        store.leave(new Lease("one", 2), time.now());
        step();
        step();
        step();
        assertThat(one.standing()).isEqualTo(Standing.DRAINING);
    }

    /** The node has not learned of the word when it loses its lease. */
    @ParameterizedTest
    @EnumSource(
            value = Standing.class,
            names = {"DRAINING", "HELD"})
    void the_last_word_of_an_operator_before_a_node_is_taken_for_dead_counts_when_it_joins_anew(Standing last)
            throws Exception {
        var one = node("one");
        boolean isDraining = last == Standing.DRAINING;
        drain(one, "one", !isDraining);
        store.sharedTasks().orElseThrow().drain("one", isDraining);
        store.leave(new Lease("one", 1), time.now());
        step();
        step();
        step();
        assertThat(one.standing()).isEqualTo(last);
    }
}
