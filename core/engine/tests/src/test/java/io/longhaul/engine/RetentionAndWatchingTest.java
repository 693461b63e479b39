// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.creation;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskEngine.Retained;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class RetentionAndWatchingTest {
    private final CountDownLatch go = new CountDownLatch(1);
    private final Backend held = TestEngine.held(go, "");

    private static Task create(TestEngine site, Retention retention) {
        return ((Created.New) site.engine.create(creation("w", null, retention))).task();
    }

    @Test
    void a_retention_is_kept_to_the_letter_and_then_the_task_is_not_found_though_it_is_not_yet_swept()
            throws Exception {
        try (var site = new TestEngine(work("w", run -> result("")))) {
            var task = site.awaitStopped(create(site, Retention.fromCompletion(Duration.ofSeconds(30))));
            assertThat(task.expiry()).isEqualTo(task.ending().at().plusSeconds(30));
            site.time.set(task.ending().at().plusSeconds(30).minusMillis(1));
            assertThat(site.engine.find(ANN, task.id())).contains(task);
            site.time.set(task.ending().at().plusSeconds(30));
            assertThat(site.store.find(task.id())).isPresent();
            assertThat(site.engine.find(ANN, task.id())).isEmpty();
            assertThat(site.engine.list(TaskFilter.of(ANN), null, 10).tasks()).isEmpty();
            assertThat(site.engine.history(ANN, task.id(), 0, 10)).isEmpty();
        }
    }

    @Test
    void a_look_at_a_task_keeps_it_no_longer_and_all_of_it_goes_at_once() throws Exception {
        try (var site = new TestEngine(work("w", run -> result("")))) {
            var key = new CreationKey("k", "digest");
            var kept = creation("w", key, Retention.fromCompletion(Duration.ofSeconds(30)));
            var task = site.awaitStopped(((Created.New) site.engine.create(kept)).task());
            for (int second = 0; second < 30; second++) {
                assertThat(site.engine.find(ANN, task.id())).contains(task);
                site.time.advance(Duration.ofSeconds(1));
            }
            assertThat(site.engine.find(ANN, task.id())).isEmpty();
            assertThat(site.engine.find(ANN, "k")).isEmpty();
            assertThat(site.engine.list(TaskFilter.of(ANN), null, 10).tasks()).isEmpty();
            assertThat(site.engine.history(ANN, task.id(), 0, 10)).isEmpty();
        }
    }

    @Test
    void a_running_task_is_never_removed() throws Exception {
        try (var site = new TestEngine(work("w", held))) {
            var task =
                    create(site, Retention.fromCreation(Duration.ofSeconds(1)).atLeast(Duration.ofMinutes(1)));
            site.time.advance(Duration.ofDays(30));
            assertThat(site.engine.find(ANN, task.id())).isPresent();
            assertThat(task.expiry()).isNull();
            go.countDown();
            site.awaitEnd(task);
        }
    }

    @Test
    void a_task_that_ran_for_longer_than_the_default_is_kept_for_that_long_after_its_end() throws Exception {
        try (var site = new TestEngine(work("w", held))) {
            var task = site.create("w");
            site.time.advance(Duration.ofDays(3));
            go.countDown();
            var ended = site.awaitStopped(task);
            assertThat(ended.expiry()).isEqualTo(ended.ending().at().plus(Duration.ofDays(1)));
        }
    }

    @Test
    void a_task_that_a_session_has_joined_is_kept_until_they_have_left_also_after_a_restart() throws Exception {
        var before = new TestEngine(work("w", run -> result("")));
        var task = before.awaitStopped(create(before, Retention.fromLeaving(Duration.ofMinutes(1))));
        before.close();
        try (var site = before.crash(work("w", run -> result("")))) {
            site.time.advance(Duration.ofDays(30));
            assertThat(site.find(task)).isEqualTo(task);
            assertThat(task.expiry()).isNull();
            var left = Retention.fromCreation(Duration.ofDays(40));
            var retained = (Retained.Done) site.engine.retain(ANN, task.id(), left);
            assertThat(retained.task().status().retention()).isEqualTo(left);
            assertThat(retained.task().ending()).isEqualTo(task.ending());
            site.time.set(Objects.requireNonNull(retained.task().expiry()));
            assertThat(site.time.now()).isEqualTo(task.spec().createdAt().plus(Duration.ofDays(40)));
            assertThat(site.engine.find(ANN, task.id())).isEmpty();
            assertThat(site.engine.retain(ANN, task.id(), left)).isInstanceOf(Retained.NotFound.class);
        }
    }

    @Test
    void the_retention_of_a_running_task_changes_and_its_watchers_see_it() throws Exception {
        try (var site = new TestEngine(work("w", held))) {
            var task = site.create("w");
            var wanted = Retention.fromLeaving(Duration.ofMinutes(1));
            var retained = (Retained.Done) site.engine.retain(ANN, task.id(), wanted);
            assertThat(site.engine.awaitChange(ANN, task.id(), task.position().version(), TestEngine.NEVER))
                    .contains(retained.task());
            assertThat(retained.task().position().lastEvent())
                    .isEqualTo(task.position().lastEvent());
            go.countDown();
            assertThat(site.awaitStopped(task).status().retention()).isEqualTo(wanted);
        }
    }

    @Test
    void a_finished_task_may_be_kept_for_less_but_not_by_another_owner() throws Exception {
        try (var site = new TestEngine(work("w", run -> result("")))) {
            var task = site.awaitStopped(site.create("w"));
            var none = Retention.fromCreation(Duration.ZERO);
            assertThat(site.engine.retain(new Owner("bob"), task.id(), none)).isInstanceOf(Retained.NotFound.class);
            assertThat(site.find(task)).isEqualTo(task);
            assertThat(site.engine.retain(ANN, task.id(), none)).isInstanceOf(Retained.Done.class);
            assertThat(site.engine.find(ANN, task.id())).isEmpty();
        }
    }

    @Test
    void what_is_past_its_time_is_swept_handles_too() throws Exception {
        try (var site = new TestEngine(work("w", run -> result("")))) {
            var task = site.awaitStopped(create(site, Retention.fromCreation(Duration.ofSeconds(1))));
            site.engine.rows().put(new StoredRow("session", "s", text(""), site.time.now()));
            site.time.advance(Duration.ofHours(1));
            // Each sweep sets the alarm of the next one when it is done.
            site.time.awaitAlarms(1);
            site.time.advance(Duration.ofMinutes(2));
            site.time.awaitAlarms(1);
            assertThat(site.store.find(task.id())).isEmpty();
            assertThat(site.store.rows().sweep(site.time.now(), 10)).isZero();
        }
    }

    @Test
    void the_key_of_a_task_past_its_retention_is_free_again() throws Exception {
        try (var site = new TestEngine(work("w", run -> result("")))) {
            var key = new CreationKey("k", "digest");
            var old = ((Created.New) site.engine.create(creation("w", key, null))).task();
            var ended = site.awaitStopped(old);
            site.time.set(ended.ending().at().plus(Duration.ofDays(1)));
            assertThat(site.engine.create(creation("w", new CreationKey("k", "other"), null)))
                    .isInstanceOf(Created.New.class);
        }
    }

    @Test
    void a_key_whose_task_is_past_its_retention_while_its_work_is_still_being_stopped_finds_that_task()
            throws Exception {
        try (var site = new TestEngine(work("w", new Backend() {
            @Override
            public Outcome run(Run run) throws InterruptedException {
                go.await();
                return result("");
            }

            @Override
            public void stop(Run run) throws InterruptedException {
                go.await();
            }
        }))) {
            var key = new CreationKey("k", "digest");
            var task = ((Created.New) site.engine.create(creation("w", key, null))).task();
            site.engine.cancel(ANN, task.id(), null);
            site.time.set(site.find(task).ending().at().plus(Duration.ofDays(2)));
            assertThat(site.engine.create(creation("w", key, null)))
                    .isInstanceOfSatisfying(
                            Created.Same.class,
                            same -> assertThat(same.task().state()).isEqualTo(TaskState.CANCELLED));
            go.countDown();
        }
    }

    @Test
    void many_watchers_of_one_task_all_see_its_end() throws Exception {
        try (var site = new TestEngine(work("w", held))) {
            var task = site.create("w");
            var seen = new ArrayList<CompletableFuture<Optional<Task>>>();
            for (int i = 0; i < 50; i++) {
                var future = new CompletableFuture<Optional<Task>>();
                seen.add(future);
                Thread.ofVirtual().start(() -> {
                    try {
                        future.complete(site.engine.awaitChange(ANN, task.id(), 1, TestEngine.NEVER));
                    } catch (InterruptedException e) {
                        future.completeExceptionally(e);
                    }
                });
            }
            site.time.awaitAlarms(51);
            go.countDown();
            for (var future : seen) {
                assertThat(future.get().orElseThrow().state().isTerminal()).isTrue();
            }
        }
    }

    @Test
    void a_watcher_gets_the_task_as_it_is_at_its_deadline_and_leaves_no_alarm() throws Exception {
        try (var site = new TestEngine(work("w", held))) {
            var task = site.create("w");
            var deadline = site.time.now().plusSeconds(5);
            var seen = TestEngine.inBackground(() -> site.engine.awaitChange(ANN, task.id(), 1, deadline));
            site.time.awaitAlarms(2);
            site.time.advance(Duration.ofSeconds(5));
            assertThat(seen.get()).contains(task);
            go.countDown();
            site.awaitEnd(task);
        }
    }
}
