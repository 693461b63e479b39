// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.LIMITS;
import static io.longhaul.engine.TestEngine.NEVER;
import static io.longhaul.engine.TestEngine.inBackground;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.FaultyTaskStore.Fault;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store that fails and has written all the same, and one that cannot be read when it matters. */
class DoubtfulCommitTest {

    private static final Duration DAY = Duration.ofDays(1);

    private final FakeTime time = new FakeTime();
    private final MemoryTaskStore store = new MemoryTaskStore();

    /** The first commit of that kind is written, and its writer is told that it failed. */
    private FaultyTaskStore lying(Predicate<Change> kind) {
        var once = new AtomicBoolean(true);
        return new FaultyTaskStore(
                store, change -> kind.test(change) && once.getAndSet(false) ? Fault.FAIL_AFTER : Fault.NONE);
    }

    private static Outcome ask(Run run) throws InterruptedException {
        return result(run.ask(null, "ask", text("?"), DAY).text());
    }

    @Test
    void a_client_that_waits_is_told_of_a_change_that_its_writer_was_told_had_failed() throws Exception {
        var seen = lying(change -> change.after().state() == TaskState.CANCELLED);
        try (var site = new TestEngine(time, store, seen, LIMITS, work("asks", DoubtfulCommitTest::ask))) {
            var task = site.awaitQuestion(site.create("asks"));
            var told = inBackground(() ->
                    site.engine.awaitChange(ANN, task.id(), task.position().version(), NEVER));
            assertThatThrownBy(() -> site.engine.cancel(ANN, task.id(), null)).isInstanceOf(StoreException.class);
            time.advanceToAlarmIn(Duration.ofSeconds(2));
            assertThat(told.get().orElseThrow().state()).isEqualTo(TaskState.CANCELLED);
        }
    }

    @Test
    void a_watch_that_fails_because_the_store_cannot_be_read_watches_nothing() throws Exception {
        var told = new ConcurrentLinkedQueue<Task>();
        var seen = lying(change -> change.after().state() == TaskState.CANCELLED);
        try (var site = new TestEngine(time, store, seen, LIMITS, work("asks", DoubtfulCommitTest::ask))) {
            var task = site.awaitQuestion(site.create("asks"));
            assertThatThrownBy(() -> site.engine.cancel(ANN, task.id(), null)).isInstanceOf(StoreException.class);
            seen.breakDown();
            assertThatThrownBy(() -> site.engine.watch(ANN, task.id(), (now, events) -> told.add(now)))
                    .isInstanceOf(StoreException.class);
            seen.repair();
            site.awaitStopped(task);
            assertThat(told).isEmpty();
        }
    }

    @Test
    void an_attempt_whose_start_was_stored_though_that_failed_begins_once() throws Exception {
        var begun = new AtomicInteger();
        Backend asking = run -> {
            begun.incrementAndGet();
            return ask(run);
        };
        var work = work("asks", CrashPolicy.RESTART, asking);
        var first = new TestEngine(time, store, LIMITS, work("asks", CrashPolicy.RESTART, run -> {
            run.step("half", () -> text("done"));
            new CountDownLatch(1).await();
            return result("never");
        }));
        var task = first.create("asks");
        first.await(task, now -> now.position().lastEvent() == 3);
        var seen = lying(change -> change.after().execution().attempts().started() == 2);
        try (var site = new TestEngine(time, store, seen, LIMITS, work)) {
            time.awaitAlarmIn(Duration.ofSeconds(1));
            var asked = site.awaitQuestion(task);
            time.advance(Duration.ofSeconds(5));
            var key = asked.outstanding().getFirst().key();
            site.engine.answer(ANN, task.id(), Map.of(key, text("yes")));
            assertThat(TestEngine.outcome(site.awaitEnd(task))).isEqualTo(result("yes"));
            assertThat(begun).hasValue(1);
        }
    }

    @Test
    @Timeout(60)
    void a_task_that_another_node_cancels_before_its_node_knows_of_its_creation_ends_and_leaves_its_room() {
        var shared = MemoryTaskStore.shared(time);
        var once = new AtomicBoolean(true);
        var lying = new FaultyTaskStore(
                shared, change -> change.before() == null && once.getAndSet(false) ? Fault.FAIL_AFTER : Fault.NONE);
        try (var one = node("one", lying);
                var two = node("two", shared)) {
            assertThatThrownBy(() -> one.create(TestEngine.creation("work"))).isInstanceOf(StoreException.class);
            var id = shared.list(TaskFilter.of(ANN), null, 1).tasks().getFirst().id();
            two.cancel(ANN, id, "enough");
            for (int step = 0; step < 100 && !two.find(ANN, id).orElseThrow().hasEndedWork(); step++) {
                TestEngine.pass(time);
            }
            assertThat(two.find(ANN, id).orElseThrow().hasEndedWork()).isTrue();
            assertThat(one.create(TestEngine.creation("work"))).isInstanceOf(TaskEngine.Created.New.class);
        }
    }

    private TaskEngine node(String name, TaskStore seen) {
        return DurableEngine.builder()
                .store(seen)
                .time(time)
                .limits(TaskLimits.builder().livePerOwner(1).build())
                .node(name)
                .work(work("work", TestEngine.held(new CountDownLatch(1), "never")))
                .start();
    }

    @Test
    void a_stop_is_tried_again_where_the_store_cannot_be_read_for_it() throws Exception {
        var stops = new AtomicInteger();
        var stuck = new CountDownLatch(1);
        Backend job = new Backend() {
            @Override
            public Outcome run(Run run) throws InterruptedException {
                stuck.await();
                return result("never");
            }

            @Override
            public void stop(Run run) {
                if (stops.incrementAndGet() == 1) {
                    throw new IllegalStateException("the job does not stop yet");
                }
            }
        };
        var work = new Work("job", job, CrashPolicy.REATTACH, DAY, 1);
        var first = new TestEngine(time, store, LIMITS, work);
        var task = first.create("job");
        first.await(task, now -> now.execution().attempts().started() == 1);
        first.engine.cancel(ANN, task.id(), null);
        time.awaitAlarmIn(Duration.ofSeconds(30));
        var seen = new FaultyTaskStore(store, 1);
        seen.nextLooksFail(1);
        try (var site = new TestEngine(time, store, seen, LIMITS, work)) {
            time.advanceToAlarmIn(Duration.ofSeconds(1));
            site.awaitStopped(task);
            assertThat(stops).hasValueGreaterThan(1);
        }
    }
}
