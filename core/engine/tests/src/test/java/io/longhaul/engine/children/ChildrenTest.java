// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.children;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.LIMITS;
import static io.longhaul.engine.TestEngine.held;
import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static io.longhaul.engine.TestEngine.work;
import static io.longhaul.engine.children.ChildCalls.DAY;
import static io.longhaul.engine.children.ChildCalls.ECHO;
import static io.longhaul.engine.children.ChildCalls.awaitChild;
import static io.longhaul.engine.children.ChildCalls.call;
import static io.longhaul.engine.children.ChildCalls.calling;
import static io.longhaul.engine.children.ChildCalls.child;
import static io.longhaul.engine.children.ChildCalls.children;
import static io.longhaul.engine.children.ChildCalls.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskEngine.Deleted;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.Blocking;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that call others, which are their children. */
@Timeout(60)
class ChildrenTest {

    @Test
    void a_child_is_a_task_of_its_own_that_names_its_parent_and_is_named_in_its_history() throws Exception {
        try (var site = new TestEngine(work("p", calling("c")), work("c", ECHO))) {
            var parent = site.create("p");
            assertThat(outcome(site.awaitEnd(parent))).isEqualTo(result("hello"));
            var child = child(site, parent);
            assertThat(child.spec().parent()).isEqualTo(parent.id());
            assertThat(child.owner()).isEqualTo(ANN);
            assertThat(child.spec().origin()).isEqualTo(text("origin"));
            assertThat(site.history(parent)).contains(EventDetail.StepDone.ofCall("c", child.id()));
            assertThat(parent.spec().parent()).isNull();
        }
    }

    @Test
    void children_that_are_called_first_run_at_the_same_time() throws Exception {
        var both = new CountDownLatch(2);
        try (var site = new TestEngine(
                work("p", run -> {
                    var one = run.call("one", call("c", "1"));
                    var two = run.call("two", call("c", "2"));
                    return result(request(two.await()) + request(one.await()));
                }),
                work("c", run -> {
                    both.countDown();
                    both.await();
                    return result("");
                }))) {
            assertThat(outcome(site.awaitEnd(site.create("p")))).isEqualTo(result("21"));
        }
    }

    @Test
    void a_parent_that_waits_leaves_its_slot_to_its_child() throws Exception {
        var limits = TaskLimits.builder().running(1).build();
        var works = new Work[] {work("p", calling("m")), work("m", calling("c")), work("c", ECHO)};
        try (var site = new TestEngine(new FakeTime(), new MemoryTaskStore(), limits, works)) {
            assertThat(outcome(site.awaitEnd(site.create("p")))).isEqualTo(result("hello"));
        }
    }

    @Test
    void a_child_needs_no_turn_of_its_owner_since_its_parent_has_one() throws Exception {
        var limits = TaskLimits.builder().livePerOwner(1).queuedPerOwner(2).build();
        var works = new Work[] {work("p", calling("c")), work("c", ECHO)};
        try (var site = new TestEngine(new FakeTime(), new MemoryTaskStore(), limits, works)) {
            var first = site.create("p");
            var second = site.create("p");
            assertThat(outcome(site.awaitEnd(first))).isEqualTo(result("hello"));
            assertThat(outcome(site.awaitEnd(second))).isEqualTo(result("hello"));
        }
    }

    @Test
    void a_name_is_used_once_an_attempt_by_steps_and_calls_together() throws Exception {
        try (var site = new TestEngine(
                work("p", run -> {
                    run.step("s", () -> text("x"));
                    assertThatThrownBy(() -> run.call("s", call("c", "")))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessage("the step 's' was used before in this attempt");
                    run.call("c", call("c", ""));
                    assertThatThrownBy(() -> run.call("c", call("c", ""))).isInstanceOf(IllegalArgumentException.class);
                    assertThatThrownBy(() -> run.call("c/", call("c", ""))).hasMessageContaining("ends with a slash");
                    assertThatThrownBy(() -> run.call("d", call("none", ""))).hasMessage("no such work: 'none'");
                    return result("");
                }),
                work("c", ECHO))) {
            assertThat(outcome(site.awaitEnd(site.create("p")))).isEqualTo(result(""));
        }
    }

    @Test
    void the_end_of_a_parent_cancels_what_it_has_called_at_every_depth() throws Exception {
        var never = new CountDownLatch(1);
        try (var site = new TestEngine(work("p", calling("m")), work("m", calling("c")), work("c", held(never, "")))) {
            var parent = site.create("p");
            var middle = awaitChild(site, parent);
            var leaf = awaitChild(site, middle);
            site.engine.cancel(ANN, parent.id(), "enough");
            assertThat(outcome(site.awaitStopped(leaf)))
                    .isEqualTo(new Outcome.Cancelled("The task " + middle.id() + ", which had called it, has ended."));
            assertThat(site.awaitStopped(middle).state()).isEqualTo(TaskState.CANCELLED);
            assertThat(site.awaitStopped(parent).state()).isEqualTo(TaskState.CANCELLED);
        }
    }

    @Test
    void a_parent_that_ends_by_itself_before_its_children_cancels_them() throws Exception {
        var never = new CountDownLatch(1);
        try (var site = new TestEngine(
                work("p", run -> {
                    run.call("c", call("c", ""));
                    return result("early");
                }),
                work("c", held(never, "")))) {
            var parent = site.awaitStopped(site.create("p"));
            assertThat(outcome(parent)).isEqualTo(result("early"));
            assertThat(site.awaitStopped(child(site, parent)).state()).isEqualTo(TaskState.CANCELLED);
        }
    }

    @Test
    void a_parent_that_times_out_cancels_its_children() throws Exception {
        var never = new CountDownLatch(1);
        var timed = new Work("p", calling("c"), CrashPolicy.FAIL, Duration.ofMinutes(1), Integer.MAX_VALUE);
        try (var site = new TestEngine(timed, work("c", held(never, "")))) {
            var parent = site.create("p");
            awaitChild(site, parent);
            site.time.advance(Duration.ofMinutes(1));
            assertThat(outcome(site.awaitStopped(parent))).isInstanceOf(Outcome.Failed.class);
            assertThat(site.awaitStopped(child(site, parent)).state()).isEqualTo(TaskState.CANCELLED);
        }
    }

    @Test
    void a_child_is_kept_for_its_parent_and_from_the_end_of_it_for_its_own_time() throws Exception {
        var go = new CountDownLatch(1);
        try (var site = new TestEngine(
                work("p", run -> {
                    var ended = run.call("c", call("c", "hello")).await();
                    go.await();
                    return outcome(ended);
                }),
                work("c", ECHO))) {
            var parent = site.create("p");
            var child = site.awaitEnd(awaitChild(site, parent));
            site.time.advance(DAY.multipliedBy(30));
            assertThat(site.find(child).state()).isEqualTo(TaskState.COMPLETED);
            assertThat(site.engine.delete(ANN, child.id())).isInstanceOf(Deleted.StillLive.class);
            site.engine.retain(ANN, child.id(), Retention.fromCompletion(DAY));
            assertThat(site.find(child).status().retention()).isEqualTo(Retention.fromLeaving(DAY));
            go.countDown();
            site.awaitStopped(parent);
            assertThat(site.find(child).expiry()).isEqualTo(site.time.now().plus(DAY));
        }
    }

    @Test
    void a_child_that_is_kept_longer_while_its_parent_ends_is_not_kept_for_ever() throws Exception {
        var go = new CountDownLatch(1);
        var retained = new CountDownLatch(1);
        var over = new CountDownLatch(1);
        var store = new MemoryTaskStore();
        var slow = new ForwardingStore(store) {
            @Override
            public CommitResult commit(Change change) {
                if (change.after().status().retention().equals(Retention.fromLeaving(DAY.multipliedBy(2)))) {
                    retained.countDown();
                    Blocking.await(over);
                }
                return super.commit(change);
            }
        };
        var works = new Work[] {
            work("p", run -> {
                run.call("c", call("c", "hello")).await();
                go.await();
                return result("");
            }),
            work("c", ECHO)
        };
        try (var site = new TestEngine(new FakeTime(), store, slow, LIMITS, works)) {
            var parent = site.create("p");
            var child = site.awaitStopped(awaitChild(site, parent));
            var wanted = Retention.fromCompletion(DAY.multipliedBy(2));
            var kept = TestEngine.inBackground(() -> site.engine.retain(ANN, child.id(), wanted));
            retained.await();
            go.countDown();
            site.awaitStopped(parent);
            over.countDown();
            kept.get();
            assertThat(site.find(child).status().retention()).isEqualTo(wanted);
        }
    }

    @Test
    void a_parent_is_deleted_with_all_that_it_has_called() throws Exception {
        try (var site = new TestEngine(work("p", calling("m")), work("m", calling("c")), work("c", ECHO))) {
            var parent = site.awaitStopped(site.create("p"));
            var middle = site.awaitStopped(child(site, parent));
            var leaf = child(site, middle);
            assertThat(site.engine.delete(ANN, parent.id())).isInstanceOf(Deleted.Done.class);
            for (var task : List.of(parent, middle, leaf)) {
                assertThat(site.store.find(task.id())).isEmpty();
            }
        }
    }

    @Test
    void a_child_that_fails_is_read_as_any_other_end_with_its_id() throws Exception {
        var ended = new ConcurrentLinkedQueue<Task>();
        try (var site = new TestEngine(
                work("p", run -> {
                    ended.add(run.call("c", call("c", "")).await());
                    return result("went on");
                }),
                work("c", run -> new Outcome.Error(7, "no", null)))) {
            var parent = site.awaitEnd(site.create("p"));
            assertThat(outcome(parent)).isEqualTo(result("went on"));
            assertThat(ended).singleElement().satisfies(child -> {
                assertThat(child.id()).isEqualTo(child(site, parent).id());
                assertThat(outcome(child)).isEqualTo(new Outcome.Error(7, "no", null));
            });
        }
    }

    @Test
    void a_parent_can_cancel_one_child_and_go_on() throws Exception {
        var never = new CountDownLatch(1);
        try (var site = new TestEngine(
                work("p", run -> {
                    var child = run.call("c", call("c", ""));
                    child.cancel();
                    return result(child.await().state().name());
                }),
                work("c", held(never, "")))) {
            assertThat(outcome(site.awaitEnd(site.create("p")))).isEqualTo(result("CANCELLED"));
        }
    }

    @Test
    void a_call_beyond_the_limit_of_a_task_is_refused_also_over_a_restart() throws Exception {
        var limits = TaskLimits.builder().childrenPerTask(2).build();
        var go = new CountDownLatch(1);
        Backend calls = run -> {
            run.call("a" + run.attempt(), call("c", "")).await();
            go.await();
            run.call("b", call("c", "")).await();
            return outcome(run.call("c", call("c", "third")).await());
        };
        var works = new Work[] {work("p", CrashPolicy.RESTART, calls), work("c", ECHO)};
        var refused = new Outcome.Error(-32603, "The task has called 2 tasks and may call no more.", null);
        var first = new TestEngine(new FakeTime(), new MemoryTaskStore(), limits, works);
        var parent = first.create("p");
        awaitChild(first, parent);
        try (var second = first.crash(works)) {
            go.countDown();
            assertThat(outcome(second.awaitStopped(parent))).isEqualTo(refused);
            assertThat(children(second, parent)).hasSize(2);
            var other = second.awaitStopped(second.create("p"));
            assertThat(outcome(other)).isEqualTo(refused);
            assertThat(children(second, other)).hasSize(2);
        }
    }

    @Test
    void work_that_calls_itself_comes_to_an_end() throws Exception {
        var limits = TaskLimits.builder().childDepth(2).build();
        try (var site = new TestEngine(new FakeTime(), new MemoryTaskStore(), limits, work("p", calling("p")))) {
            var parent = site.awaitStopped(site.create("p"));
            assertThat(outcome(parent))
                    .isEqualTo(new Outcome.Error(
                            -32603, "The task was called by a task in its turn, 2 deep, and may call no other.", null));
            var middle = child(site, parent);
            assertThat(children(site, child(site, middle))).isEmpty();
        }
    }

    @Test
    void a_child_for_which_its_owner_has_no_room_is_refused() throws Exception {
        var limits = TaskLimits.builder().livePerOwner(2).build();
        var never = new CountDownLatch(1);
        var works = new Work[] {
            work("p", run -> {
                run.call("one", call("c", ""));
                return outcome(run.call("two", call("c", "")).await());
            }),
            work("c", held(never, ""))
        };
        try (var site = new TestEngine(new FakeTime(), new MemoryTaskStore(), limits, works)) {
            assertThat(outcome(site.awaitStopped(site.create("p"))))
                    .isEqualTo(new Outcome.Error(
                            -32603, "The owner of the task has 2 live tasks, and may have no more.", null));
        }
    }

    @Test
    void a_thousand_children_are_cancelled_with_their_parent_and_listed_in_pages() throws Exception {
        var never = new CountDownLatch(1);
        var limits = TaskLimits.builder().livePerOwner(1_001).running(2_000).build();
        var works = new Work[] {
            work("p", run -> {
                var all = new ArrayList<Run.Child>();
                for (int i = 0; i < 1_000; i++) {
                    all.add(run.call("c" + i, call("c", "")));
                }
                return outcome(all.getLast().await());
            }),
            work("c", held(never, ""))
        };
        try (var site = new TestEngine(new FakeTime(), new MemoryTaskStore(), limits, works)) {
            var parent = site.create("p");
            site.await(parent, now -> now.position().lastEvent() == 1_002);
            site.engine.cancel(ANN, parent.id(), null);
            site.awaitStopped(parent);
            var found = new ArrayList<TaskId>();
            TaskId next = null;
            do {
                var page = site.engine.list(TaskFilter.ALL.childrenOf(parent), next, 300);
                assertThat(page.tasks())
                        .hasSizeLessThanOrEqualTo(300)
                        .allMatch(child -> child.state() == TaskState.CANCELLED);
                page.tasks().forEach(child -> found.add(child.id()));
                next = page.next();
            } while (next != null);
            assertThat(found).hasSize(1_000).doesNotHaveDuplicates();
            for (var child : found) {
                site.await(child, Task::hasEndedWork);
            }
        }
    }

    @Test
    void others_neither_find_nor_cancel_a_child() throws Exception {
        var never = new CountDownLatch(1);
        try (var site = new TestEngine(work("p", calling("c")), work("c", held(never, "")))) {
            var parent = site.create("p");
            var child = awaitChild(site, parent);
            assertThat(site.engine.find(new Owner("bob"), child.id())).isEmpty();
            assertThat(site.engine
                            .list(TaskFilter.ALL.childrenOf(parent).ownedBy(new Owner("bob")), null, 9)
                            .tasks())
                    .isEmpty();
        }
    }

    @Test
    void a_child_counts_with_the_share_of_its_parent() throws Exception {
        var limits = TaskLimits.builder().livePerOwner(2).build();
        var never = new CountDownLatch(1);
        var works = new Work[] {work("p", calling("c")), work("c", ECHO), work("held", held(never, ""))};
        try (var site = new TestEngine(new FakeTime(), new MemoryTaskStore(), limits, works)) {
            site.create("held");
            site.create("held");
            var created = site.engine.create(TestEngine.creation("p"), "an address");
            assertThat(created)
                    .isInstanceOfSatisfying(
                            Created.New.class,
                            fresh -> assertThat(fresh.task().owner()).isEqualTo(ANN));
            var parent = ((Created.New) created).task();
            assertThat(outcome(site.awaitEnd(parent))).isEqualTo(result("hello"));
        }
    }

    @Test
    void a_child_that_is_made_while_its_parent_is_cancelled_is_let_go_too() throws Exception {
        var never = new CountDownLatch(1);
        var cancel = new CountDownLatch(1);
        var looked = new CountDownLatch(1);
        var store = new MemoryTaskStore();
        var late = new ForwardingStore(store) {
            @Override
            public CommitResult commit(Change change) {
                if (change.before() == null && change.after().spec().parent() != null) {
                    cancel.countDown();
                    Blocking.await(looked);
                }
                return super.commit(change);
            }

            @Override
            public List<Task> routed(Owner owner, Route route, @Nullable TaskId after, int limit) {
                var found = super.routed(owner, route, after, limit);
                looked.countDown();
                return found;
            }
        };
        var works = new Work[] {work("p", calling("c")), work("c", held(never, ""))};
        try (var site = new TestEngine(new FakeTime(), store, late, LIMITS, works)) {
            var parent = site.create("p");
            cancel.await();
            site.engine.cancel(ANN, parent.id(), null);
            site.awaitStopped(parent);
            var child = site.awaitStopped(child(site, parent));
            assertThat(child.state()).isEqualTo(TaskState.CANCELLED);
            assertThat(child.expiry()).isEqualTo(site.time.now().plus(DAY));
        }
    }

    @Test
    void each_thread_of_a_parent_that_waits_for_a_child_ends_with_the_server() throws Exception {
        var never = new CountDownLatch(1);
        var waits = new LinkedBlockingQueue<Future<Task>>();
        var site = new TestEngine(
                work("p", CrashPolicy.RESTART, run -> {
                    var child = run.call("c", call("c", ""));
                    waits.add(TestEngine.inBackground(child::await));
                    return outcome(child.await());
                }),
                work("c", CrashPolicy.RESTART, held(never, "")));
        site.create("p");
        var waiting = waits.take();
        site.close();
        assertThatThrownBy(waiting::get).isInstanceOf(ExecutionException.class);
    }
}
