// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.children;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.NEVER;
import static io.longhaul.engine.TestEngine.STEP;
import static io.longhaul.engine.TestEngine.creation;
import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Children whose parents are at other nodes. */
@Timeout(60)
class ChildrenOfNodesTest {

    private static final Duration TERM = Duration.ofSeconds(15);

    private final FakeTime time = new FakeTime();
    private final MemoryTaskStore store = MemoryTaskStore.shared(time);
    private final CountDownLatch never = new CountDownLatch(1);
    private final List<TaskEngine> all = new ArrayList<>();
    private volatile boolean isDeaf;

    /** Fails where work looks at a task of another node. */
    private final TaskStore deaf = new ForwardingStore(store) {
        @Override
        protected void beforeRead() {
            if (isDeaf && Thread.currentThread().getName().startsWith("task-")) {
                throw new StoreException("not now");
            }
        }
    };

    private final Work parent = work("p", CrashPolicy.RESTART, ChildrenOfNodesTest::calls);
    private final Work child = work(
            "c",
            CrashPolicy.RESTART,
            run -> result(run.ask("q", "ask", text("?"), Duration.ofDays(1)).text()));

    private static Outcome calls(Run run) throws InterruptedException {
        return outcome(run.call("c", () -> new Run.Call("c", text(""), text(""), Duration.ofDays(1)))
                .await());
    }

    private TaskEngine node(String name, TaskStore link, Work... works) {
        var engine = DurableEngine.builder()
                .store(link)
                .time(time)
                .limits(TestEngine.LIMITS)
                .node(name)
                .works(List.of(works))
                .start();
        all.add(engine);
        return engine;
    }

    private static Task create(TaskEngine engine) {
        return ((TaskEngine.Created.New) engine.create(creation("p"))).task();
    }

    private Task await(TaskEngine engine, TaskId id, Predicate<Task> wanted) throws Exception {
        var seen = TestEngine.inBackground(() -> {
            var now = engine.find(ANN, id).orElseThrow();
            while (!wanted.test(now)) {
                now = engine.awaitChange(ANN, id, now.position().version(), NEVER)
                        .orElseThrow();
            }
            return now;
        });
        while (true) {
            try {
                return seen.get(1, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                TestEngine.pass(time);
            }
        }
    }

    private static Task childOf(TaskEngine engine, Task parent) {
        return engine.list(TaskFilter.ALL.childrenOf(parent), null, 2).tasks().getFirst();
    }

    @AfterEach
    void close() {
        never.countDown();
        all.forEach(TaskEngine::close);
    }

    /** A parent at node two, whose child node one has: one was cut off from the store, and is there again. */
    private Task parted(TaskEngine[] nodes) throws Exception {
        var link = new FaultyTaskStore(store, 0);
        var one = node("one", link, parent, child);
        var task = create(one);
        await(one, task.id(), now -> !now.outstanding().isEmpty());
        link.breakDown();
        var two = node("two", deaf, parent);
        await(
                two,
                task.id(),
                now -> now.execution().lease() != null
                        && now.execution().lease().node().equals("two"));
        link.repair();
        var child = childOf(two, task);
        await(
                two,
                child.id(),
                now -> now.execution().lease() != null
                        && now.execution().lease().node().equals("one")
                        && now.execution().lease().epoch() > 1);
        nodes[0] = one;
        nodes[1] = two;
        return task;
    }

    @Test
    void a_parent_waits_for_a_child_at_another_node_and_passes_its_question_on() throws Exception {
        var nodes = new TaskEngine[2];
        var task = parted(nodes);
        var asked = await(nodes[0], task.id(), now -> !now.outstanding().isEmpty())
                .outstanding()
                .getFirst();
        nodes[0].answer(ANN, task.id(), Map.of(asked.key(), text("yes")));
        assertThat(outcome(await(nodes[1], task.id(), now -> now.state().isTerminal())))
                .isEqualTo(result("yes"));
    }

    @Test
    void a_parent_that_is_cancelled_at_one_node_cancels_its_child_at_another() throws Exception {
        var nodes = new TaskEngine[2];
        var task = parted(nodes);
        nodes[0].cancel(ANN, task.id(), null);
        var child = childOf(nodes[0], task);
        var ended = await(nodes[1], child.id(), now -> now.state().isTerminal());
        assertThat(ended.state()).isEqualTo(TaskState.CANCELLED);
    }

    @Test
    void a_parent_whose_node_is_dead_is_cancelled_with_its_child() throws Exception {
        var link = new FaultyTaskStore(store, 0);
        var one = node("one", link, parent, child);
        var task = create(one);
        await(one, task.id(), now -> !now.outstanding().isEmpty());
        link.breakDown();
        var two = node("two", store, parent, child);
        two.cancel(ANN, task.id(), null);
        time.advance(TERM);
        var ended = await(two, childOf(two, task).id(), now -> now.state().isTerminal());
        assertThat(ended.state()).isEqualTo(TaskState.CANCELLED);
        await(two, task.id(), Task::hasEndedWork);
    }

    @Test
    void an_attempt_whose_node_has_lost_its_lease_calls_nothing_under_the_next_one() throws Exception {
        var called = new CountDownLatch(1);
        var go = new CompletableFuture<Void>();
        var over = new CountDownLatch(1);
        var late = work("p", CrashPolicy.RESTART, run -> {
            try {
                return outcome(run.call("c", () -> {
                            called.countDown();
                            go.join();
                            return new Run.Call("c", text(""), text(""), Duration.ofDays(1));
                        })
                        .await());
            } finally {
                over.countDown();
            }
        });
        var link = new FaultyTaskStore(store, 0);
        var one = node("one", link, late, child);
        var task = create(one);
        called.await();
        link.breakDown();
        var two = node("two", store, work("p", CrashPolicy.RESTART, TestEngine.held(never, "")));
        await(two, task.id(), now -> now.execution().attempts().started() == 2);
        two.cancel(ANN, task.id(), null);
        await(two, task.id(), Task::hasEndedWork);
        link.repair();
        one.create(creation("c"));
        go.complete(null);
        over.await();
        assertThat(two.list(TaskFilter.ALL.childrenOf(task), null, 2).tasks()).isEmpty();
    }

    @Test
    void a_parent_that_could_not_see_how_its_child_ended_looks_again() throws Exception {
        var nodes = new TaskEngine[2];
        var task = parted(nodes);
        await(nodes[1], task.id(), now -> !now.outstanding().isEmpty());
        isDeaf = true;
        var child = childOf(nodes[1], task);
        nodes[0].answer(ANN, child.id(), Map.of("q", text("directly")));
        await(nodes[1], child.id(), now -> now.state().isTerminal());
        time.advance(STEP);
        isDeaf = false;
        assertThat(outcome(await(nodes[1], task.id(), now -> now.state().isTerminal())))
                .isEqualTo(result("directly"));
    }
}
