// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.creation;
import static io.longhaul.engine.TestEngine.held;
import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskEngine.Creation;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Source;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LifeOfATaskTest {

    private final CountDownLatch go = new CountDownLatch(1);
    private final CountDownLatch reported = new CountDownLatch(1);

    /** Work that reports, and ends when {@code go} opens. */
    private Work reporting(Consumer<Run> reports) {
        return work("w", run -> {
            reports.accept(run);
            reported.countDown();
            go.await();
            return result("");
        });
    }

    @Test
    void a_task_starts_in_the_commit_that_creates_it_and_ends_with_its_result() throws Exception {
        try (var site = new TestEngine(work("w", held(go, "done")))) {
            var task = site.create("w");
            assertThat(task.state()).isEqualTo(TaskState.WORKING);
            assertThat(task.position().version()).isEqualTo(1);
            assertThat(site.store.find(task.id())).contains(task);
            go.countDown();
            var ended = site.awaitEnd(task);
            assertThat(outcome(ended)).isEqualTo(result("done"));
            assertThat(site.history(task))
                    .containsExactly(
                            new EventDetail.Created(),
                            new EventDetail.Started(1),
                            new EventDetail.Ended(result("done")));
        }
    }

    @Test
    void a_creation_gives_the_task_as_it_was_created_however_far_its_work_is() throws Exception {
        try (var site = new TestEngine(work("w", run -> {
            run.progress(new Progress(1, null, null));
            return result("done");
        }))) {
            for (int i = 0; i < 500; i++) {
                var task = site.create("w");
                assertThat(task.position().version()).isEqualTo(1);
                site.awaitEnd(task);
            }
        }
    }

    @Test
    void a_task_without_a_free_slot_waits_and_starts_in_order() throws Exception {
        var order = Collections.synchronizedList(new ArrayList<String>());
        var one = new Work(
                "one",
                run -> {
                    go.await();
                    order.add(run.id().value());
                    return result("");
                },
                CrashPolicy.FAIL,
                null,
                1);
        try (var site = new TestEngine(one)) {
            var tasks = List.of(site.create("one"), site.create("one"), site.create("one"));
            assertThat(tasks.get(1).state()).isEqualTo(TaskState.SUBMITTED);
            go.countDown();
            for (var task : tasks) {
                site.awaitEnd(task);
            }
            assertThat(order)
                    .containsExactlyElementsOf(
                            tasks.stream().map(task -> task.id().value()).toList());
        }
    }

    @Test
    void a_task_that_waits_for_an_answer_leaves_its_slot_to_others() throws Exception {
        var asks = new Work(
                "asks",
                run -> new Outcome.Result(run.ask(null, "ask", text("?"), null), false),
                CrashPolicy.FAIL,
                null,
                1);
        try (var site = new TestEngine(asks)) {
            var first = site.create("asks");
            site.awaitQuestion(first);
            var second = site.create("asks");
            var question = site.awaitQuestion(second).outstanding().getFirst();
            site.engine.answer(ANN, second.id(), java.util.Map.of(question.key(), text("yes")));
            assertThat(outcome(site.awaitEnd(second))).isEqualTo(result("yes"));
            assertThat(site.find(first).state()).isEqualTo(TaskState.INPUT_REQUIRED);
        }
    }

    @Test
    void the_same_key_gives_the_same_task_and_another_request_under_it_is_refused() throws Exception {
        try (var site = new TestEngine(work("w", run -> result("")))) {
            var key = new CreationKey("k", "digest");
            var first = (Created.New) site.engine.create(creation("w", key, null));
            var again = (Created.Same) site.engine.create(creation("w", key, null));
            assertThat(again.task().id()).isEqualTo(first.task().id());
            assertThat(site.engine.create(creation("w", new CreationKey("k", "other"), null)))
                    .isInstanceOf(Created.KeyConflict.class);
            site.awaitEnd(first.task());
        }
    }

    /** An owner may have one live task, whose work waits for {@code go}. */
    private static TestEngine siteForOneLiveTask(CountDownLatch go) {
        var limits = TaskLimits.builder().livePerOwner(1).build();
        return new TestEngine(new FakeTime(), new MemoryTaskStore(), limits, work("w", held(go, "")));
    }

    @Test
    void an_owner_has_no_more_live_tasks_than_allowed_and_a_repeated_key_is_still_answered() throws Exception {
        try (var site = siteForOneLiveTask(go)) {
            var key = new CreationKey("k", "digest");
            var first = ((Created.New) site.engine.create(creation("w", key, null))).task();
            assertThat(site.engine.create(creation("w"))).isEqualTo(new Created.TooManyLive(1));
            assertThat(site.engine.create(creation("w", key, null))).isInstanceOf(Created.Same.class);
            go.countDown();
            site.awaitEnd(first);
            assertThat(site.engine.create(creation("w"))).isInstanceOf(Created.New.class);
        }
    }

    @Test
    void callers_of_one_owner_that_have_shares_of_their_own_do_not_use_up_those_of_each_other() throws Exception {
        try (var site = siteForOneLiveTask(go)) {
            var first = (Created.New) site.engine.create(creation("w"), "one");
            assertThat(site.engine.create(creation("w"), "one")).isEqualTo(new Created.TooManyLive(1));
            var second = (Created.New) site.engine.create(creation("w"), "other");
            go.countDown();
            site.awaitEnd(first.task());
            assertThat(site.engine.create(creation("w"), "one")).isInstanceOf(Created.New.class);
            site.awaitEnd(second.task());
        }
    }

    @Test
    void who_is_told_that_a_task_has_ended_may_create_the_next_at_once() throws Exception {
        try (var site = siteForOneLiveTask(go)) {
            var first = site.create("w");
            var next = new CompletableFuture<Created>();
            // A watcher must not call the engine; this one does, since nobody can see the end sooner.
            site.engine.watch(ANN, first.id(), (now, events) -> {
                if (now.state().isTerminal()) {
                    next.complete(site.engine.create(creation("w")));
                }
            });
            go.countDown();
            assertThat(next.get()).isInstanceOf(Created.New.class);
        }
    }

    @Test
    void a_task_is_found_by_the_key_of_its_creation_as_it_stands() throws Exception {
        try (var site = new TestEngine(reporting(run -> {
            run.progress(new Progress(1, null, null));
            run.progress(new Progress(2, null, "shown before it is stored"));
        }))) {
            var key = new CreationKey("alias 1", "digest");
            var task = ((Created.New) site.engine.create(creation("w", key, null))).task();
            reported.await();
            assertThat(site.engine.find(ANN, "alias 1")).contains(site.find(task));
            assertThat(site.find(task).status().progress())
                    .isEqualTo(new Progress(2, null, "shown before it is stored"));
            assertThat(site.engine.find(ANN, "alias 2")).isEmpty();
            assertThat(site.engine.find(new Owner("bob"), "alias 1")).isEmpty();
            go.countDown();
            var ended = site.awaitStopped(task);
            assertThat(site.engine.find(ANN, "alias 1")).contains(ended);
            site.time.set(Objects.requireNonNull(ended.expiry()));
            assertThat(site.engine.find(ANN, "alias 1")).isEmpty();
        }
    }

    @Test
    void tasks_are_found_by_their_route_as_they_stand_until_their_retention_is_over() throws Exception {
        try (var site = new TestEngine(work("w", held(go, "done")))) {
            List<Task> made = new ArrayList<>();
            var one = new Route("s", "1");
            var two = new Route("s", "2");
            for (Route route : List.of(one, two, two, new Route("t", "1"))) {
                var source = new Source(Payload.EMPTY, route);
                var creation = new Creation(ANN, "w", text("{}"), source, null, null);
                made.add(((Created.New) site.engine.create(creation)).task());
                // Tasks of one millisecond have no order among them.
                site.time.advance(Duration.ofMillis(1));
            }
            go.countDown();
            for (Task task : made) {
                site.awaitStopped(task);
            }
            var ended = site.find(made.getFirst());
            assertThat(site.engine.routed(ANN, one, null, 9)).containsExactly(ended);
            var all = new Route("s", null);
            var first = site.engine.routed(ANN, all, null, 2);
            var rest = site.engine.routed(ANN, all, first.getLast().id(), 2);
            assertThat(Stream.concat(first.stream(), rest.stream()).map(Task::id))
                    .containsExactlyElementsOf(
                            made.stream().limit(3).map(Task::id).toList());
            assertThat(site.engine.routed(new Owner("somebody else"), all, null, 9))
                    .isEmpty();
            site.time.advance(Duration.ofDays(2));
            assertThat(site.engine.routed(ANN, all, null, 9)).isEmpty();
        }
    }

    @Test
    void another_owner_finds_nothing() throws Exception {
        try (var site = new TestEngine(work("w", run -> result("")))) {
            var bob = new Owner("bob");
            var task = site.create("w");
            site.awaitEnd(task);
            assertThat(site.engine.find(bob, task.id())).isEmpty();
            assertThat(site.engine.list(TaskFilter.of(bob), null, 10).tasks()).isEmpty();
            assertThat(site.engine.history(bob, task.id(), 0, 10)).isEmpty();
            assertThat(site.engine.awaitChange(bob, task.id(), 0, TestEngine.NEVER))
                    .isEmpty();
            assertThat(site.engine.watch(bob, task.id(), (now, events) -> {})).isEmpty();
            assertThat(site.engine.list(TaskFilter.of(ANN), null, 10).tasks()).hasSize(1);
        }
    }

    @Test
    void what_a_backend_throws_is_its_outcome_or_an_internal_error_without_text() throws Exception {
        var told = new Outcome.Error(-32000, "told", null);
        try (var site = new TestEngine(
                work("told", run -> {
                    throw new RunException(told);
                }),
                work("secret", run -> {
                    throw new IllegalStateException("secret");
                }),
                work("memory", run -> {
                    throw new OutOfMemoryError("secret");
                }))) {
            var internal = new Outcome.Error(-32603, "Internal error", null);
            assertThat(outcome(site.awaitEnd(site.create("told")))).isEqualTo(told);
            assertThat(outcome(site.awaitEnd(site.create("secret")))).isEqualTo(internal);
            assertThat(outcome(site.awaitEnd(site.create("memory")))).isEqualTo(internal);
            assertThat(outcome(site.awaitEnd(site.create("told")))).isEqualTo(told);
        }
    }

    @Test
    void progress_shows_at_once_never_goes_back_and_is_stored_once_per_interval() throws Exception {
        try (var site = new TestEngine(reporting(run -> {
            run.progress(new Progress(1, 10.0, "one"));
            run.progress(new Progress(2, 10.0, "two"));
            run.progress(new Progress(5, 10.0, "five"));
            run.progress(new Progress(3, 10.0, "back"));
        }))) {
            var task = site.create("w");
            reported.await();
            var five = new Progress(5, 10.0, "five");
            assertThat(site.find(task).status().progress()).isEqualTo(five);
            assertThat(site.store.find(task.id()).orElseThrow().status().progress())
                    .isEqualTo(new Progress(1, 10.0, "one"));
            go.countDown();
            var ended = site.awaitEnd(task);
            assertThat(ended.status().progress()).isEqualTo(five);
            assertThat(site.history(task))
                    .filteredOn(EventDetail.Progressed.class::isInstance)
                    .hasSize(2);
        }
    }

    @Test
    void the_last_progress_of_an_interval_is_stored_when_it_is_over() throws Exception {
        try (var site = new TestEngine(reporting(run -> {
            run.progress(new Progress(1, null, null));
            run.progress(new Progress(2, null, null));
            run.status("two");
        }))) {
            var task = site.create("w");
            reported.await();
            site.time.advance(site.engine.limits().progressInterval());
            var stored = site.await(task, now -> now.position().version() == 3);
            assertThat(site.store.find(task.id())).contains(stored);
            assertThat(stored.status().message()).isEqualTo("two");
            go.countDown();
            site.awaitEnd(task);
        }
    }

    @Test
    void a_message_has_2000_characters_at_most_and_is_cut_between_two_of_them() throws Exception {
        var longest = "x".repeat(2_000);
        assertShown(longest, longest);
        assertShown(longest + "y", longest + "...");
        assertShown("x".repeat(1_999) + "\uD83D\uDE00", "x".repeat(1_999) + "...");
    }

    private static void assertShown(String told, String shown) throws Exception {
        try (var site = new TestEngine(work("w", run -> {
            run.status(told);
            run.progress(new Progress(1, null, told));
            return result("end");
        }))) {
            var status = site.awaitEnd(site.create("w")).status();
            assertThat(status.message()).isEqualTo(shown);
            assertThat(status.progress()).isEqualTo(new Progress(1, null, shown));
        }
    }

    @Test
    void partial_output_is_durable_and_in_order() throws Exception {
        try (var site = new TestEngine(work("w", run -> {
            run.partial(text("a"));
            run.partial(text("b"));
            return result(run.partialCount() + "");
        }))) {
            var task = site.create("w");
            assertThat(outcome(site.awaitEnd(task))).isEqualTo(result("2"));
            assertThat(site.history(task))
                    .filteredOn(EventDetail.Emitted.class::isInstance)
                    .containsExactly(new EventDetail.Emitted(text("a")), new EventDetail.Emitted(text("b")));
        }
    }
}
