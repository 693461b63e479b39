// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.children;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.LIMITS;
import static io.longhaul.engine.TestEngine.held;
import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.work;
import static io.longhaul.engine.children.ChildCalls.ECHO;
import static io.longhaul.engine.children.ChildCalls.awaitChild;
import static io.longhaul.engine.children.ChildCalls.call;
import static io.longhaul.engine.children.ChildCalls.calling;
import static io.longhaul.engine.children.ChildCalls.child;
import static io.longhaul.engine.children.ChildCalls.children;
import static io.longhaul.engine.children.ChildCalls.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import java.util.ArrayList;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of children when the server of their parent dies. */
@Timeout(60)
class ChildrenOverCrashTest {

    @Test
    void a_child_that_waits_for_its_slot_over_a_crash_needs_no_turn_either() throws Exception {
        var limits = TaskLimits.builder()
                .livePerOwner(1)
                .queuedPerOwner(2)
                .running(1)
                .build();
        var never = new CountDownLatch(1);
        Backend calls = run -> {
            var child = run.call("c", call("c", "hello"));
            if (run.attempt() == 1) {
                never.await();
            }
            return outcome(child.await());
        };
        var works = new Work[] {work("p", CrashPolicy.RESTART, calls), work("c", ECHO)};
        var first = new TestEngine(new FakeTime(), new MemoryTaskStore(), limits, works);
        var parent = first.create("p");
        assertThat(awaitChild(first, parent).state()).isEqualTo(TaskState.SUBMITTED);
        try (var second = first.crash(works)) {
            assertThat(outcome(second.awaitEnd(parent))).isEqualTo(result("hello"));
        }
    }

    @Test
    void a_parent_that_is_restarted_finds_its_children_and_runs_none_twice() throws Exception {
        var runs = new AtomicInteger();
        var go = new CountDownLatch(1);
        Backend counted = run -> {
            runs.incrementAndGet();
            return ECHO.run(run);
        };
        Backend calls = run -> {
            var one = run.call("one", call("c", "1")).await();
            go.await();
            return result(request(one) + request(run.call("two", call("c", "2")).await()));
        };
        var works = new Work[] {work("p", CrashPolicy.RESTART, calls), work("c", counted)};
        var first = new TestEngine(works);
        var parent = first.create("p");
        first.awaitEnd(awaitChild(first, parent));
        try (var second = first.crash(works)) {
            go.countDown();
            assertThat(outcome(second.awaitEnd(parent))).isEqualTo(result("12"));
            assertThat(children(second, parent)).hasSize(2);
            assertThat(runs).hasValue(2);
        }
    }

    @Test
    void a_child_whose_call_was_not_recorded_before_the_crash_is_found_all_the_same() throws Exception {
        var store = new MemoryTaskStore();
        var lost = new CutAtSteps(store);
        var go = new CountDownLatch(1);
        var runs = new AtomicInteger();
        Backend counted = run -> {
            runs.incrementAndGet();
            go.await();
            return ECHO.run(run);
        };
        var works = new Work[] {work("p", CrashPolicy.RESTART, calling("c")), work("c", CrashPolicy.RESTART, counted)};
        var first = new TestEngine(new FakeTime(), store, lost, LIMITS, works);
        var parent = first.create("p");
        lost.cut.await();
        var child = child(first, parent);
        try (var second = first.crash(works)) {
            go.countDown();
            assertThat(outcome(second.awaitEnd(parent))).isEqualTo(result("hello"));
            assertThat(children(second, parent)).extracting(Task::id).containsExactly(child.id());
            assertThat(second.history(parent)).contains(EventDetail.StepDone.ofCall("c", child.id()));
        }
    }

    @Test
    void a_child_whose_call_was_not_recorded_before_the_crash_counts_and_may_be_called_again() throws Exception {
        var store = new MemoryTaskStore();
        var lost = new CutAtSteps(store);
        var limits = TaskLimits.builder().childrenPerTask(1).build();
        Backend calls = run -> {
            if (run.attempt() == 2) {
                assertThatThrownBy(() -> run.call("other", call("c", ""))).isInstanceOf(RunException.class);
            }
            return outcome(run.call("c", call("c", "hello")).await());
        };
        var works = new Work[] {work("p", CrashPolicy.RESTART, calls), work("c", CrashPolicy.RESTART, ECHO)};
        var first = new TestEngine(new FakeTime(), store, lost, limits, works);
        var parent = first.create("p");
        lost.cut.await();
        try (var second = first.crash(works)) {
            assertThat(outcome(second.awaitEnd(parent))).isEqualTo(result("hello"));
            assertThat(children(second, parent)).hasSize(1);
        }
    }

    @Test
    void other_arguments_of_the_same_call_after_a_restart_give_the_child_of_the_first() throws Exception {
        var go = new CountDownLatch(1);
        Backend calls = run -> {
            var child = run.call("c", call("c", "attempt " + run.attempt()));
            go.await();
            return outcome(child.await());
        };
        var works = new Work[] {work("p", CrashPolicy.RESTART, calls), work("c", CrashPolicy.RESTART, ECHO)};
        var first = new TestEngine(works);
        var parent = first.create("p");
        awaitChild(first, parent);
        try (var second = first.crash(works)) {
            go.countDown();
            assertThat(outcome(second.awaitEnd(parent))).isEqualTo(result("attempt 1"));
        }
    }

    @Test
    void a_parent_that_ends_with_its_second_attempt_cancels_what_the_first_has_called() throws Exception {
        var never = new CountDownLatch(1);
        Backend calls = run -> {
            if (run.attempt() == 1) {
                run.call("c", call("c", "")).await();
            }
            return result("early");
        };
        var works = new Work[] {work("p", CrashPolicy.RESTART, calls), work("c", CrashPolicy.RESTART, held(never, ""))};
        var first = new TestEngine(works);
        var parent = first.create("p");
        awaitChild(first, parent);
        try (var second = first.crash(works)) {
            assertThat(outcome(second.awaitStopped(parent))).isEqualTo(result("early"));
            assertThat(second.awaitStopped(child(second, parent)).state()).isEqualTo(TaskState.CANCELLED);
        }
    }

    @Test
    void a_parent_that_is_not_run_again_after_a_crash_cancels_its_children() throws Exception {
        var never = new CountDownLatch(1);
        var child = work("c", CrashPolicy.RESTART, held(never, ""));
        var first = new TestEngine(work("p", calling("c")), child);
        var parent = first.create("p");
        awaitChild(first, parent);
        try (var second = first.crash(work("p", calling("c")), child)) {
            assertThat(outcome(second.awaitStopped(parent))).isInstanceOf(Outcome.Failed.class);
            assertThat(second.awaitStopped(child(second, parent)).state()).isEqualTo(TaskState.CANCELLED);
        }
    }

    @Test
    void a_parent_whose_work_is_not_offered_any_more_cancels_its_children() throws Exception {
        var never = new CountDownLatch(1);
        var child = work("c", CrashPolicy.RESTART, held(never, ""));
        var first = new TestEngine(work("p", CrashPolicy.RESTART, calling("c")), child);
        var parent = first.create("p");
        awaitChild(first, parent);
        try (var second = first.crash(child)) {
            second.time.advance(LIMITS.offerGrace());
            assertThat(outcome(second.awaitStopped(parent))).isInstanceOf(Outcome.Failed.class);
            assertThat(second.awaitStopped(child(second, parent)).state()).isEqualTo(TaskState.CANCELLED);
        }
    }

    @Test
    void an_end_that_was_cut_short_is_gone_on_with_after_the_restart() throws Exception {
        var never = new CountDownLatch(1);
        var store = new MemoryTaskStore();
        var lost = new CutAtSteps(store);
        lost.cutsAtCancel = true;
        var works = new Work[] {work("p", calling("c")), work("c", CrashPolicy.RESTART, held(never, ""))};
        var first = new TestEngine(new FakeTime(), store, lost, LIMITS, works);
        var parent = first.create("p");
        var child = awaitChild(first, parent);
        first.engine.cancel(ANN, parent.id(), null);
        lost.cut.await();
        assertThat(store.find(child.id()).orElseThrow().ending()).isNull();
        try (var second = first.crash(works)) {
            assertThat(second.awaitStopped(child).state()).isEqualTo(TaskState.CANCELLED);
            second.awaitStopped(parent);
        }
    }

    @Test
    void a_thousand_children_whose_parent_is_restarted_in_the_midst_of_them_run_once_each() throws Exception {
        var limits = TaskLimits.builder().livePerOwner(1_001).running(2_000).build();
        var runs = new ConcurrentHashMap<String, Integer>();
        var works = new Work[] {
            work("p", CrashPolicy.RESTART, run -> {
                var all = new ArrayList<Run.Child>();
                for (int i = 0; i < 1_000; i++) {
                    all.add(run.call("c" + i, call("c", "" + i)));
                }
                for (var child : all) {
                    child.await();
                }
                return result("all");
            }),
            work("c", run -> {
                runs.merge(run.spec().request().text(), 1, Integer::sum);
                return result("");
            })
        };
        var store = new MemoryTaskStore();
        var lost = new CutAtSteps(store);
        lost.steps = 500;
        var first = new TestEngine(new FakeTime(), store, lost, limits, works);
        var parent = first.create("p");
        lost.cut.await();
        try (var second = first.crash(works)) {
            assertThat(outcome(second.awaitStopped(parent))).isEqualTo(result("all"));
            assertThat(children(second, parent)).hasSize(1_000);
            assertThat(runs)
                    .hasSize(1_000)
                    .allSatisfy((request, times) -> assertThat(times).isEqualTo(1));
        }
    }
}
