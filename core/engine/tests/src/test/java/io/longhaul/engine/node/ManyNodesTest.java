// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.node;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.NEVER;
import static io.longhaul.engine.TestEngine.STEP;
import static io.longhaul.engine.TestEngine.creation;
import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.SharedTasks.Standing;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several nodes over one store: any of them serves any task. */
@Timeout(60)
class ManyNodesTest {

    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration TERM = Duration.ofSeconds(15);

    private final FakeTime time = new FakeTime();
    private final MemoryTaskStore store = MemoryTaskStore.shared(time);
    private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> stopped = new LinkedBlockingQueue<>();
    private final CountDownLatch go = new CountDownLatch(1);
    private final List<TaskEngine> all = new ArrayList<>();

    /** A node whose connection to the store can be lost, as where the process is paused or dead. */
    private final class Node {
        final FaultyTaskStore link = new FaultyTaskStore(store, 0);
        final TaskEngine engine;

        Node(@Nullable String name, Work... works) {
            this(name, TestEngine.LIMITS, works);
        }

        Node(@Nullable String name, TaskLimits limits, Work... works) {
            var builder = DurableEngine.builder().store(link).time(time).limits(limits);
            if (name != null) {
                builder.node(name);
            }
            engine = builder.works(List.of(works)).start();
            all.add(engine);
        }

        Task create(String work) {
            return ((TaskEngine.Created.New) engine.create(creation(work))).task();
        }

        Task find(Task task) {
            return engine.find(ANN, task.id()).orElseThrow();
        }

        /** Lets time pass until the node sees the task so. */
        Task await(Task task, Predicate<Task> wanted) throws Exception {
            Future<Task> seen = TestEngine.inBackground(() -> awaited(task.id(), wanted));
            while (true) {
                try {
                    return seen.get(1, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    TestEngine.pass(time);
                }
            }
        }

        private Task awaited(TaskId id, Predicate<Task> wanted) throws InterruptedException {
            var now = engine.find(ANN, id).orElseThrow();
            while (!wanted.test(now)) {
                now = engine.awaitChange(ANN, id, now.position().version(), NEVER)
                        .orElseThrow();
            }
            return now;
        }
    }

    /** Waits for what threads do, while time goes by. */
    private <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        while (true) {
            var said = queue.poll(1, TimeUnit.MILLISECONDS);
            if (said != null) {
                return said;
            }
            TestEngine.pass(time);
        }
    }

    private Node node(@Nullable String name) {
        return new Node(name, works(String.valueOf(name)));
    }

    private Work[] works(String node) {
        return new Work[] {
            work("ask", CrashPolicy.RESTART, run -> {
                begun.add(node);
                return result(run.ask("q", "ask", text("?"), DAY).text());
            }),
            work("wait", CrashPolicy.RESTART, run -> {
                begun.add(node);
                return waited(run, node);
            }),
            work("job", CrashPolicy.REATTACH, run -> {
                begun.add(node);
                return waited(run, node);
            }),
            work("once", CrashPolicy.FAIL, run -> {
                begun.add(node);
                return waited(run, node);
            })
        };
    }

    private Outcome waited(Run run, String node) throws InterruptedException {
        try {
            go.await();
            run.progress(new Progress(1, null, null));
            return result("done by " + node);
        } catch (InterruptedException e) {
            stopped.add(node);
            throw e;
        }
    }

    @AfterEach
    void close() {
        go.countDown();
        all.forEach(TaskEngine::close);
    }

    @Test
    void a_task_is_run_by_the_node_that_created_it_and_found_at_every_node() throws Exception {
        var one = node("one");
        var other = node("other");
        var task = one.create("wait");
        assertThat(next(begun)).isEqualTo("one");
        assertThat(other.find(task).state()).isEqualTo(TaskState.WORKING);
        assertThat(other.engine.find(new Owner("bob"), task.id())).isEmpty();
        go.countDown();
        assertThat(outcome(other.await(task, now -> now.state().isTerminal()))).isEqualTo(result("done by one"));
        assertThat(other.engine.history(ANN, task.id(), 0, 10)).hasSizeGreaterThan(2);
        assertThat(begun).isEmpty();
    }

    @Test
    void a_change_is_seen_at_another_node_within_a_quarter_of_a_second() throws Exception {
        var one = node("one");
        var other = node("other");
        var task = one.create("wait");
        next(begun);
        var told = new LinkedBlockingQueue<Task>();
        assertThat(other.engine.watch(ANN, task.id(), (now, events) -> told.add(now)))
                .isPresent();
        next(told);
        // Of the next look and the next sweep of each node: none of them is on its way.
        time.awaitAlarms(4);
        var changed = one.engine.retain(ANN, task.id(), Retention.fromCompletion(DAY));
        var version = ((TaskEngine.Retained.Done) changed).task().position().version();
        time.advance(Duration.ofMillis(250));
        assertThat(told.take().position().version()).isEqualTo(version);
    }

    @Test
    void a_cancel_at_another_node_stops_the_work() throws Exception {
        var one = node("one");
        var other = node("other");
        var task = one.create("wait");
        next(begun);
        assertThat(other.engine.cancel(ANN, task.id(), "no more")).isInstanceOf(TaskEngine.Cancelled.Done.class);
        assertThat(next(stopped)).isEqualTo("one");
        var ended =
                other.await(task, now -> now.ending() != null && now.ending().workEnded());
        assertThat(outcome(ended)).isEqualTo(new Outcome.Cancelled("no more"));
        assertThat(outcome(one.find(task))).isEqualTo(new Outcome.Cancelled("no more"));
        assertThat(other.engine.delete(ANN, task.id())).isInstanceOf(TaskEngine.Deleted.Done.class);
        assertThat(one.engine.find(ANN, task.id())).isEmpty();
    }

    @Test
    void what_a_node_has_acknowledged_is_seen_at_every_node_at_once() throws Exception {
        var one = node("one");
        var other = node("other");
        var task = one.create("ask");
        other.await(task, now -> !now.outstanding().isEmpty());
        other.engine.retain(ANN, task.id(), Retention.fromCompletion(DAY));
        assertThat(one.find(task).status().retention()).isEqualTo(Retention.fromCompletion(DAY));
        other.engine.cancel(ANN, task.id(), null);
        assertThat(one.find(task).state()).isEqualTo(TaskState.CANCELLED);
        assertThat(other.find(task).state()).isEqualTo(TaskState.CANCELLED);
        var last = one.create("wait");
        other.engine.cancel(ANN, last.id(), null);
        assertThat(one.engine.list(TaskFilter.of(ANN), null, 10).tasks())
                .extracting(Task::state)
                .containsOnly(TaskState.CANCELLED);
    }

    @Test
    void who_watches_a_task_at_a_node_knows_no_less_than_who_looks_at_it_there() throws Exception {
        var one = node("one");
        var other = node("other");
        var task = one.create("wait");
        next(begun);
        var atHolder = watched(one, task);
        var elsewhere = watched(other, task);
        other.engine.cancel(ANN, task.id(), null);
        one.find(task);
        assertThat(atHolder.getLast().state()).isEqualTo(TaskState.CANCELLED);
        other.find(task);
        assertThat(elsewhere.getLast().state()).isEqualTo(TaskState.CANCELLED);
    }

    private static Deque<Task> watched(Node node, Task task) {
        var told = new ConcurrentLinkedDeque<Task>();
        assertThat(node.engine.watch(ANN, task.id(), (now, events) -> told.add(now)))
                .isPresent();
        return told;
    }

    @Test
    void a_node_that_the_store_fails_shows_its_tasks_as_it_knows_them() throws Exception {
        var one = node("one");
        var task = one.create("wait");
        next(begun);
        one.link.breakDown();
        assertThat(one.find(task).state()).isEqualTo(TaskState.WORKING);
    }

    @Test
    void a_cancel_at_another_node_ends_a_task_that_waits_for_its_turn() throws Exception {
        var limits = TaskLimits.builder().livePerOwner(1).queuedPerOwner(1).build();
        var one = new Node("one", limits, works("one"));
        var other = node("other");
        one.create("wait");
        var waiting = one.create("wait");
        other.engine.cancel(ANN, waiting.id(), null);
        other.await(waiting, now -> now.ending() != null && now.ending().workEnded());
        one.create("wait");
        assertThat(begun).hasSize(1);
    }

    @Test
    void a_node_cancels_what_a_node_runs_that_came_later() throws Exception {
        var one = node("one");
        var other = node("other");
        var task = other.create("wait");
        next(begun);
        assertThat(one.engine.cancel(ANN, task.id(), null)).isInstanceOf(TaskEngine.Cancelled.Done.class);
        assertThat(next(stopped)).isEqualTo("other");
    }

    @Test
    void a_node_that_was_taken_for_dead_cancels_its_task_that_nobody_has_taken_yet() throws Exception {
        var one = new Node("one", work("rare", CrashPolicy.RESTART, run -> waited(run, "one")));
        node("other");
        var task = one.create("rare");
        one.link.breakDown();
        for (Duration passed = Duration.ZERO; passed.compareTo(TERM.multipliedBy(2)) < 0; passed = passed.plus(STEP)) {
            TestEngine.pass(time);
            begun.poll(1, TimeUnit.MILLISECONDS);
        }
        one.link.repair();
        assertThat(one.engine.cancel(ANN, task.id(), null)).isInstanceOf(TaskEngine.Cancelled.Done.class);
    }

    @Test
    void a_node_that_gets_a_cancelled_task_back_waits_for_the_work_that_it_had_lost_there() throws Exception {
        var one = new Node("one", work("deaf", CrashPolicy.RESTART, run -> deaf()));
        var other = node("other");
        var task = one.create("deaf");
        next(begun);
        one.link.breakDown();
        for (Duration passed = Duration.ZERO; passed.compareTo(TERM.multipliedBy(2)) < 0; passed = passed.plus(STEP)) {
            TestEngine.pass(time);
            begun.poll(1, TimeUnit.MILLISECONDS);
        }
        other.engine.cancel(ANN, task.id(), null);
        one.link.repair();
        assertThat(next(stopped)).isEqualTo("deaf");
        assertThat(other.find(task).ending().workEnded()).isFalse();
        go.countDown();
        other.await(task, now -> now.ending() != null && now.ending().workEnded());
    }

    /** Work that takes note of an interrupt, and goes on. */
    private Outcome deaf() throws InterruptedException {
        begun.add("deaf");
        try {
            go.await();
        } catch (InterruptedException e) {
            stopped.add("deaf");
            go.await();
        }
        return result("deaf");
    }

    @Test
    void an_answer_at_another_node_reaches_the_work() throws Exception {
        var one = node("one");
        var other = node("other");
        var task = one.create("ask");
        other.await(task, now -> !now.outstanding().isEmpty());
        other.engine.answer(ANN, task.id(), Map.of("q", text("yes")));
        assertThat(outcome(one.await(task, now -> now.state().isTerminal()))).isEqualTo(result("yes"));
    }

    @Test
    void another_retention_at_another_node_disturbs_nothing() throws Exception {
        var one = node("one");
        var other = node("other");
        var task = one.create("wait");
        next(begun);
        var retention = Retention.fromCompletion(Duration.ofHours(3));
        other.engine.retain(ANN, task.id(), retention);
        go.countDown();
        var ended = other.await(task, now -> now.state().isTerminal());
        assertThat(ended.status().retention()).isEqualTo(retention);
    }

    @Test
    void tasks_of_a_dead_node_are_run_by_another_one() throws Exception {
        var one = node("one");
        var other = node("other");
        var again = one.create("wait");
        var once = one.create("once");
        next(begun);
        next(begun);
        one.link.breakDown();
        assertThat(next(begun)).isEqualTo("other");
        go.countDown();
        assertThat(outcome(other.await(again, now -> now.state().isTerminal()))).isEqualTo(result("done by other"));
        assertThat(outcome(other.await(once, now -> now.state().isTerminal()))).isInstanceOf(Outcome.Failed.class);
        assertThat(Duration.between(FakeTime.START, time.now())).isGreaterThanOrEqualTo(TERM);
    }

    @Test
    void tasks_of_a_node_that_stops_are_taken_over_within_a_second() throws Exception {
        var one = node("one");
        var other = node("other");
        var task = one.create("wait");
        next(begun);
        one.engine.close();
        // Of the next look and the next sweep of the other one: neither is on its way.
        time.awaitAlarms(2);
        time.advance(Duration.ofSeconds(1));
        assertThat(begun.take()).isEqualTo("other");
        go.countDown();
        assertThat(outcome(other.await(task, now -> now.state().isTerminal()))).isEqualTo(result("done by other"));
    }

    @Test
    void work_outside_of_the_server_waits_for_its_node_that_only_starts_again() throws Exception {
        var one = node("one");
        var other = node("other");
        var task = one.create("job");
        next(begun);
        one.engine.close();
        for (int second = 0; second < 60; second++) {
            // The next look and the next sweep of the other node.
            time.awaitAlarms(2);
            time.advance(Duration.ofSeconds(1));
        }
        time.awaitAlarms(2);
        node("one");
        assertThat(begun.take()).isEqualTo("one");
        go.countDown();
        assertThat(outcome(other.await(task, now -> now.state().isTerminal()))).isEqualTo(result("done by one"));
    }

    @Test
    void work_outside_of_the_server_is_another_nodes_when_its_own_is_lost() throws Exception {
        var one = node("one");
        var other = node("other");
        var task = one.create("job");
        next(begun);
        one.engine.close();
        assertThat(next(begun)).isEqualTo("other");
        go.countDown();
        assertThat(outcome(other.await(task, now -> now.state().isTerminal()))).isEqualTo(result("done by other"));
    }

    @Test
    void nodes_without_a_name_do_not_fence_each_other() throws Exception {
        var nodes = List.of(node(null), node(null));
        nodes.forEach(node -> node.create("wait"));
        next(begun);
        next(begun);
        for (long second = 0; second <= TERM.toSeconds(); second++) {
            // The next look and the next sweep of each node: time that runs ahead of a node has it lose its lease.
            time.awaitAlarms(4);
            time.advance(Duration.ofSeconds(1));
        }
        time.awaitAlarms(4);
        assertThat(nodes).allMatch(node -> node.engine.standing() == Standing.HELD);
        assertThat(stopped).isEmpty();
    }

    @Test
    void a_node_that_was_taken_for_dead_stops_its_work_and_joins_anew() throws Exception {
        var one = node("one");
        var other = node("other");
        var task = one.create("wait");
        next(begun);
        var told = new LinkedBlockingQueue<Task>();
        assertThat(one.engine.watch(ANN, task.id(), (now, events) -> told.add(now)))
                .isPresent();
        one.link.breakDown();
        assertThat(next(begun)).isEqualTo("other");
        one.link.repair();
        // At once: before the next beat, at which the node would learn that it has lost its lease.
        var next = one.create("wait");
        assertThat(next(stopped)).isEqualTo("one");
        go.countDown();
        assertThat(outcome(one.await(task, now -> now.state().isTerminal()))).isEqualTo(result("done by other"));
        while (next(told).ending() == null) {
            // It is told of each change.
        }
        assertThat(outcome(other.await(next, now -> now.state().isTerminal()))).isEqualTo(result("done by one"));
    }

    @Test
    void a_process_that_another_one_of_its_name_has_replaced_runs_nothing_and_serves_reads() throws Exception {
        var one = node("one");
        var task = one.create("wait");
        next(begun);
        var next = new Node("one", works("next"));
        assertThat(next(begun)).isEqualTo("next");
        assertThat(next(stopped)).isEqualTo("one");
        assertThatThrownBy(() -> one.create("wait")).isInstanceOf(StoreException.class);
        go.countDown();
        assertThat(outcome(next.await(task, now -> now.state().isTerminal()))).isEqualTo(result("done by next"));
        assertThat(outcome(one.find(task))).isEqualTo(result("done by next"));
    }

    @Test
    void a_task_waits_for_a_node_that_has_its_tool() throws Exception {
        var one = new Node("one", work("rare", CrashPolicy.RESTART, run -> waited(run, "one")));
        var task = one.create("rare");
        one.engine.close();
        var other = node("other");
        time.advance(Duration.ofMinutes(10));
        assertThat(other.find(task).ending()).isNull();
        var third = new Node("third", work("rare", CrashPolicy.RESTART, run -> result("third")));
        assertThat(outcome(third.await(task, now -> now.state().isTerminal()))).isEqualTo(result("third"));
    }

    @Test
    void a_node_takes_tasks_of_a_tool_that_it_offers_later() throws Exception {
        var one = new Node("one", work("rare", CrashPolicy.RESTART, run -> waited(run, "one")));
        var task = one.create("rare");
        one.engine.close();
        var other = node("other");
        other.engine.offer(work("rare", CrashPolicy.RESTART, run -> result("later")));
        assertThat(outcome(other.await(task, now -> now.state().isTerminal()))).isEqualTo(result("later"));
    }

    @Test
    void who_waits_at_a_node_for_a_task_of_another_one_is_told_when_the_node_closes() throws Exception {
        var one = node("one");
        var other = node("other");
        var task = one.create("ask");
        var asking = other.await(task, now -> !now.outstanding().isEmpty());
        var seen = TestEngine.inBackground(
                () -> other.engine.awaitChange(ANN, task.id(), asking.position().version(), NEVER));
        other.engine.close();
        assertThat(seen.get()).contains(asking);
    }
}
