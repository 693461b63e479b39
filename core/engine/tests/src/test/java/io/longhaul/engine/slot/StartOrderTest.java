// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.slot;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.creation;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.run.Rate;
import io.longhaul.engine.run.Retry;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.run.Work.Bounds;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which of the tasks that wait begin first, and when: by the priorities and the rates of their works. */
@Timeout(60)
class StartOrderTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final FakeTime time = new FakeTime();
    private final Map<TaskId, CountDownLatch> gates = new ConcurrentHashMap<>();
    private final List<TaskId> begun = new CopyOnWriteArrayList<>();
    private @Nullable TestEngine opened;

    private Work work(String name, int priority, @Nullable Rate rate) {
        var bounds = new Bounds(null, null, Integer.MAX_VALUE, priority, rate);
        return new Work(name, this::run, CrashPolicy.RESTART, bounds, null, new Retry(1, SECOND));
    }

    private Outcome run(Run run) throws Exception {
        begun.add(run.id());
        if (run.spec().work().equals("asks")) {
            run.ask("ok", "ask", text("?"), null);
        }
        if (run.spec().work().equals("fails") && run.attempt() == 1) {
            run.retry("failed");
            throw new IllegalStateException("failed");
        }
        gate(run.id()).await();
        return result("done");
    }

    private CountDownLatch gate(TaskId id) {
        return gates.computeIfAbsent(id, unused -> new CountDownLatch(1));
    }

    private TestEngine site(TaskLimits.Builder limits, Work... works) {
        var site = new TestEngine(
                time,
                new MemoryTaskStore(),
                limits.handBackGrace(Duration.ofMillis(100)).build(),
                works);
        opened = site;
        return site;
    }

    private static TaskLimits.Builder running(int tasks) {
        return TaskLimits.builder().running(tasks);
    }

    @AfterEach
    void close() {
        gates.values().forEach(CountDownLatch::countDown);
        if (opened != null) {
            opened.close();
        }
    }

    private void finish(TestEngine site, Task task) throws InterruptedException {
        gate(task.id()).countDown();
        site.awaitEnd(task);
    }

    private static void awaitBegin(TestEngine site, Task task) throws InterruptedException {
        site.await(task, now -> now.state() == TaskState.WORKING);
    }

    private static List<TaskId> ids(Task... tasks) {
        return List.of(tasks).stream().map(Task::id).toList();
    }

    @Test
    void a_free_slot_goes_to_the_greatest_priority_and_among_equals_to_the_first_that_came() throws Exception {
        var site = site(running(1), work("usual", 0, null), work("same", 0, null), work("urgent", 5, null));
        var first = site.create("usual");
        var second = site.create("usual");
        var third = site.create("same");
        var fourth = site.create("usual");
        var urgent = site.create("urgent");
        var later = site.create("urgent");
        for (var task : List.of(first, urgent, later, second, third, fourth)) {
            awaitBegin(site, task);
            finish(site, task);
        }
        assertThat(begun).isEqualTo(ids(first, urgent, later, second, third, fourth));
    }

    @Test
    void a_turn_in_the_queue_of_an_owner_goes_to_the_greatest_priority() throws Exception {
        var limits = TaskLimits.builder().livePerOwner(1).queuedPerOwner(3);
        var site = site(limits, work("usual", 0, null), work("low", -1, null), work("urgent", 5, null));
        var first = site.create("usual");
        var low = site.create("low");
        var usual = site.create("usual");
        var urgent = site.create("urgent");
        for (var task : List.of(first, urgent, usual, low)) {
            awaitBegin(site, task);
            finish(site, task);
        }
        assertThat(begun).isEqualTo(ids(first, urgent, usual, low));
    }

    @Test
    void the_next_server_gives_its_slots_by_priority_too() throws Exception {
        var limits = TaskLimits.builder().livePerOwner(1).queuedPerOwner(3);
        var works = new Work[] {work("usual", 0, null), work("urgent", 5, null)};
        var first = site(limits, works);
        var running = first.create("usual");
        var waits = first.create("usual");
        var urgent = first.create("urgent");
        var next = first.crash(works);
        opened = next;
        for (var task : List.of(running, urgent, waits)) {
            awaitBegin(next, task);
            finish(next, task);
        }
        assertThat(begun).endsWith(urgent.id(), waits.id());
    }

    @Test
    void a_changed_priority_counts_for_tasks_that_wait_already() throws Exception {
        var site = site(running(1), work("a", 0, null), work("b", 0, null));
        var first = site.create("a");
        var second = site.create("a");
        var third = site.create("b");
        site.engine.offer(work("b", 1, null));
        finish(site, first);
        awaitBegin(site, third);
        assertThat(site.find(second).state()).isEqualTo(TaskState.SUBMITTED);
    }

    private List<Task> create(TestEngine site, String work, int count) {
        return IntStream.range(0, count).mapToObj(i -> site.create(work)).toList();
    }

    @Test
    void no_more_tasks_begin_in_any_span_than_the_rate_says_and_the_others_wait_in_their_order() throws Exception {
        var site = site(running(9), work("rated", 0, new Rate(2, MINUTE)), work("free", 0, null));
        var first = site.create("rated");
        time.advance(SECOND.multipliedBy(20));
        var others = create(site, "rated", 4);
        awaitBegin(site, others.get(0));
        awaitBegin(site, site.create("free"));
        assertThat(site.find(first).state()).isEqualTo(TaskState.WORKING);
        assertThat(site.find(others.get(1)).state()).isEqualTo(TaskState.SUBMITTED);
        time.advanceToAlarmIn(SECOND.multipliedBy(40));
        awaitBegin(site, others.get(1));
        assertThat(site.find(others.get(2)).state()).isEqualTo(TaskState.SUBMITTED);
        time.advanceToAlarmIn(SECOND.multipliedBy(20));
        awaitBegin(site, others.get(2));
        assertThat(site.find(others.get(3)).state()).isEqualTo(TaskState.SUBMITTED);
        time.advanceToAlarmIn(SECOND.multipliedBy(40));
        awaitBegin(site, others.get(3));
    }

    @Test
    void a_task_that_is_due_by_the_rate_still_waits_for_a_slot() throws Exception {
        var site = site(running(1), work("rated", 0, new Rate(1, MINUTE)));
        var first = site.create("rated");
        var second = site.create("rated");
        time.advanceToAlarmIn(MINUTE);
        assertThat(site.find(second).state()).isEqualTo(TaskState.SUBMITTED);
        finish(site, first);
        awaitBegin(site, second);
    }

    @Test
    void a_task_that_waits_for_its_rate_keeps_no_slot_from_work_of_a_smaller_priority() throws Exception {
        var site = site(running(1), work("rated", 9, new Rate(1, MINUTE)), work("free", 0, null));
        var first = site.create("rated");
        var second = site.create("rated");
        var free = site.create("free");
        finish(site, first);
        awaitBegin(site, free);
        assertThat(site.find(second).state()).isEqualTo(TaskState.SUBMITTED);
    }

    @Test
    void a_task_that_goes_on_after_an_answer_or_a_failure_does_not_count() throws Exception {
        var rate = new Rate(1, MINUTE);
        var site = site(running(9), work("asks", 0, rate), work("fails", 0, rate));
        var asks = site.awaitQuestion(site.create("asks"));
        site.engine.answer(ANN, asks.id(), Map.of("ok", text("yes")));
        finish(site, asks);
        var fails = site.create("fails");
        time.advanceToAlarmIn(SECOND);
        site.await(fails, now -> now.execution().attempts().started() == 2);
        var second = site.create("fails");
        time.advanceToAlarmIn(MINUTE.minus(SECOND));
        awaitBegin(site, second);
    }

    @Test
    void a_repeated_creation_of_the_same_task_uses_up_no_start() throws Exception {
        var site = site(running(9), work("rated", 0, new Rate(2, MINUTE)));
        var key = new CreationKey("key", "params");
        var keyed = creation("rated", key, null);
        site.engine.create(keyed);
        assertThat(site.engine.create(keyed)).isInstanceOf(Created.Same.class);
        assertThat(site.engine.create(keyed)).isInstanceOf(Created.Same.class);
        assertThat(site.create("rated").state()).isEqualTo(TaskState.WORKING);
        assertThat(site.create("rated").state()).isEqualTo(TaskState.SUBMITTED);
    }

    @Test
    void a_changed_rate_counts_at_once() throws Exception {
        var site = site(running(9), work("rated", 0, new Rate(1, MINUTE)));
        var tasks = create(site, "rated", 3);
        site.engine.offer(work("rated", 0, new Rate(2, MINUTE)));
        awaitBegin(site, tasks.get(1));
        assertThat(site.find(tasks.get(2)).state()).isEqualTo(TaskState.SUBMITTED);
        site.engine.offer(work("rated", 0, null));
        awaitBegin(site, tasks.get(2));
    }

    @Test
    void a_task_that_is_cancelled_while_it_waits_for_its_rate_uses_up_no_start() throws Exception {
        var site = site(running(9), work("rated", 0, new Rate(1, MINUTE)));
        var tasks = create(site, "rated", 3);
        site.engine.cancel(ANN, tasks.get(1).id(), null);
        time.advanceToAlarmIn(MINUTE);
        awaitBegin(site, tasks.get(2));
    }
}
