// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.node;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.creation;
import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.SharedTasks.Standing;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes of which each runs some works: a front node runs none, and another one runs what no other may. */
@Timeout(60)
class RolesOfNodesTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final int MOST = 4;
    private static final TaskLimits LIMITS = TaskLimits.builder()
            .handBackGrace(Duration.ofMillis(200))
            .livePerOwner(MOST)
            .nodeLostAfter(Duration.ofMinutes(1))
            .build();

    private final FakeTime time = new FakeTime();
    private final MemoryTaskStore store = MemoryTaskStore.shared(time);
    private final CountDownLatch go = new CountDownLatch(1);
    private final List<TaskEngine> all = new ArrayList<>();
    private final List<TaskEngine> dead = new ArrayList<>();
    private final Map<String, FaultyTaskStore> links = new HashMap<>();

    private TaskEngine node(String name, String... runs) {
        Backend says = run -> result("done at " + name);
        Backend asks = run -> result(run.ask("q", "ask", text("?"), DAY).text() + " at " + name);
        Backend calls = run -> outcome(run.call("child", () -> new Run.Call("gpu", text("{}"), Payload.EMPTY, DAY))
                .await());
        Backend waits = run -> {
            go.await();
            return result("done at " + name);
        };
        var node = DurableEngine.builder()
                .store(links.computeIfAbsent(name, key -> new FaultyTaskStore(store, 0)))
                .time(time)
                .limits(LIMITS)
                .node(name)
                .runs(Set.of(runs)::contains)
                .work(work("say", says))
                .work(work("ask", asks))
                .work(work("call", calls))
                .work(work("wait", waits))
                .work(work("gpu", says))
                // As of a command: only the node that has begun the job can find it.
                .work(new Work("job", asks, CrashPolicy.REATTACH, null, Integer.MAX_VALUE))
                .start();
        all.add(node);
        return node;
    }

    private static Work work(String name, Backend backend) {
        return new Work(name, backend, CrashPolicy.RESTART, null, Integer.MAX_VALUE);
    }

    /** A node that is killed writes nothing any more, and hears nothing. */
    private void kill(String name, TaskEngine node) {
        links.get(name).breakDown();
        all.remove(node);
        dead.add(node);
    }

    @AfterEach
    void close() {
        go.countDown();
        all.forEach(TaskEngine::close);
        dead.forEach(TaskEngine::close);
    }

    private void step() throws InterruptedException {
        time.awaitAlarmsWithin(SECOND, all.size());
        time.advance(SECOND);
    }

    /** A node that has looked once, and has set the alarm of its next look, knows how many there are. */
    private void knowEachOther() throws InterruptedException {
        step();
        time.awaitAlarmsWithin(SECOND, all.size());
    }

    private static Task create(TaskEngine node, String work) {
        return ((Created.New) node.create(creation(work))).task();
    }

    private Task awaits(TaskEngine node, Task task, TaskState state) throws InterruptedException {
        while (node.find(ANN, task.id()).orElseThrow().state() != state) {
            step();
        }
        return node.find(ANN, task.id()).orElseThrow();
    }

    @Test
    void a_task_of_a_front_node_runs_at_a_node_that_runs_its_work() throws Exception {
        var front = node("front");
        node("plain", "say");
        node("labelled", "gpu");
        assertThat(outcome(awaits(front, create(front, "say"), TaskState.COMPLETED)))
                .isEqualTo(result("done at plain"));
        assertThat(outcome(awaits(front, create(front, "gpu"), TaskState.COMPLETED)))
                .isEqualTo(result("done at labelled"));
    }

    @Test
    void a_task_whose_work_no_node_runs_waits_until_one_does_and_can_be_cancelled() throws Exception {
        var front = node("front");
        var waits = create(front, "gpu");
        var cancelled = create(front, "gpu");
        node("plain", "say");
        step();
        step();
        assertThat(front.find(ANN, waits.id()).orElseThrow().execution().lease())
                .isNull();
        front.cancel(ANN, cancelled.id(), null);
        node("labelled", "gpu");
        assertThat(outcome(awaits(front, waits, TaskState.COMPLETED))).isEqualTo(result("done at labelled"));
        assertThat(front.find(ANN, cancelled.id()).orElseThrow().state()).isEqualTo(TaskState.CANCELLED);
    }

    @Test
    void a_question_is_answered_and_a_run_cancelled_at_a_front_node() throws Exception {
        var front = node("front");
        node("plain", "ask", "wait");
        var asks = awaits(front, create(front, "ask"), TaskState.INPUT_REQUIRED);
        front.answer(ANN, asks.id(), Map.of("q", text("yes")));
        assertThat(outcome(awaits(front, asks, TaskState.COMPLETED))).isEqualTo(result("yes at plain"));
        var runs = awaits(front, create(front, "wait"), TaskState.WORKING);
        front.cancel(ANN, runs.id(), null);
        assertThat(awaits(front, runs, TaskState.CANCELLED).ending()).isNotNull();
    }

    @Test
    void a_child_runs_at_another_node_than_its_parent_where_the_node_of_the_parent_does_not_run_it() throws Exception {
        var front = node("front");
        node("plain", "call");
        node("labelled", "gpu");
        assertThat(outcome(awaits(front, create(front, "call"), TaskState.COMPLETED)))
                .isEqualTo(result("done at labelled"));
    }

    @Test
    void tasks_that_wait_for_a_node_count_with_the_limit_of_their_owner() throws Exception {
        var front = node("front");
        var other = node("other");
        knowEachOther();
        for (int task = 0; task < MOST; task++) {
            create(task % 2 == 0 ? front : other, "gpu");
        }
        assertThat(front.create(creation("gpu"))).isEqualTo(new Created.TooManyLive(MOST));
        assertThat(other.create(creation("gpu"))).isEqualTo(new Created.TooManyLive(MOST));
    }

    @Test
    void what_a_node_runs_itself_counts_with_what_it_may_create_for_others() throws Exception {
        var both = node("both", "wait");
        var other = node("other");
        knowEachOther();
        create(both, "gpu");
        create(both, "wait");
        create(both, "wait");
        create(other, "gpu");
        assertThat(both.create(creation("gpu"))).isEqualTo(new Created.TooManyLive(MOST));
    }

    @Test
    void tasks_of_an_anonymous_caller_count_at_their_front_node_until_they_have_ended() throws Exception {
        var front = node("front");
        Task last = null;
        for (int task = 0; task < MOST; task++) {
            last = ((Created.New) front.create(creation("gpu"), "192.0.2.1")).task();
        }
        assertThat(front.create(creation("gpu"), "192.0.2.1")).isEqualTo(new Created.TooManyLive(MOST));
        front.cancel(ANN, last.id(), null);
        step();
        while (front.create(creation("gpu"), "192.0.2.1") instanceof Created.TooManyLive) {
            step();
        }
    }

    @Test
    void a_work_node_that_dies_loses_its_tasks_to_another_one() throws Exception {
        var front = node("front");
        var dies = node("dies", "wait");
        var task = awaits(front, create(front, "wait"), TaskState.WORKING);
        kill("dies", dies);
        node("lives", "wait");
        go.countDown();
        assertThat(outcome(awaits(front, task, TaskState.COMPLETED))).isEqualTo(result("done at lives"));
    }

    private String holder(TaskEngine node, Task task) {
        var lease = node.find(ANN, task.id()).orElseThrow().execution().lease();
        return lease == null ? "" : lease.node();
    }

    private void awaitHolder(String name, TaskEngine front, Task task) throws InterruptedException {
        while (!holder(front, task).equals(name)) {
            step();
        }
    }

    @Test
    void a_job_that_only_waits_for_an_answer_is_answered_at_a_front_node_after_its_dead_node_counts_as_lost()
            throws Exception {
        var front = node("front");
        var dies = node("dies", "job");
        var job = awaits(front, create(front, "job"), TaskState.INPUT_REQUIRED);
        kill("dies", dies);
        var killed = time.now();
        node("lives", "job");
        awaitHolder("lives", front, job);
        assertThat(time.now()).isAfterOrEqualTo(killed.plus(LIMITS.nodeLostAfter()));
        assertThat(awaits(front, job, TaskState.INPUT_REQUIRED).outstanding()).isEqualTo(job.outstanding());
        front.answer(ANN, job.id(), Map.of("q", text("yes")));
        assertThat(outcome(awaits(front, job, TaskState.COMPLETED))).isEqualTo(result("yes at lives"));
    }

    @Test
    void an_answer_at_a_front_node_while_no_node_runs_its_job_is_there_for_the_next_one() throws Exception {
        var front = node("front");
        var dies = node("dies", "job");
        var job = awaits(front, create(front, "job"), TaskState.INPUT_REQUIRED);
        kill("dies", dies);
        front.answer(ANN, job.id(), Map.of("q", text("yes")));
        node("lives", "job");
        assertThat(outcome(awaits(front, job, TaskState.COMPLETED))).isEqualTo(result("yes at lives"));
    }

    @Test
    void a_question_of_a_drained_work_node_is_answered_at_a_front_node() throws Exception {
        var front = node("front");
        var drained = node("drained", "ask", "job");
        var tasks = new ArrayList<Task>();
        for (String work : List.of("ask", "job")) {
            tasks.add(awaits(front, create(front, work), TaskState.INPUT_REQUIRED));
        }
        store.sharedTasks().orElseThrow().drain("drained", true);
        while (drained.standing() != Standing.DRAINING) {
            step();
        }
        for (Task task : tasks) {
            // Its node has given the task away, and no other one runs it yet.
            awaitHolder("", front, task);
        }
        front.answer(ANN, tasks.getFirst().id(), Map.of("q", text("before")));
        node("lives", "ask", "job");
        awaitHolder("lives", front, tasks.getLast());
        front.answer(ANN, tasks.getLast().id(), Map.of("q", text("after")));
        assertThat(outcome(awaits(front, tasks.getFirst(), TaskState.COMPLETED)))
                .isEqualTo(result("before at lives"));
        assertThat(outcome(awaits(front, tasks.getLast(), TaskState.COMPLETED))).isEqualTo(result("after at lives"));
    }
}
