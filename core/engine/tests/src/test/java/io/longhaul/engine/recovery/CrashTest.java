// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.recovery;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.Attempts;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CrashTest {
    private final Semaphore started = new Semaphore(0);
    private final AtomicInteger runs = new AtomicInteger();
    private final Backend forever = run -> {
        runs.incrementAndGet();
        started.release();
        new CountDownLatch(1).await();
        return result("never");
    };

    /** A task whose work has begun. */
    private Task begun(TestEngine site) throws InterruptedException {
        var task = site.create("w");
        started.acquire();
        return task;
    }

    private static void assertInterrupted(Outcome outcome) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.reason()).isEqualTo(FailureReason.INTERRUPTED));
    }

    @Test
    void work_that_must_not_run_twice_has_failed_as_interrupted_after_a_crash() throws Exception {
        var site = new TestEngine(work("w", CrashPolicy.FAIL, forever));
        var task = begun(site);
        try (var next = site.crash(work("w", CrashPolicy.FAIL, forever))) {
            assertInterrupted(outcome(next.awaitStopped(task)));
            assertThat(runs).hasValue(1);
        }
    }

    @Test
    void work_that_may_run_again_does_so_as_often_as_allowed_and_then_fails() throws Exception {
        var w = work("w", CrashPolicy.RESTART, forever);
        var site = new TestEngine(w);
        var task = begun(site);
        for (int crash = 1; crash <= 3; crash++) {
            site = site.crash(w);
            started.acquire();
            assertThat(site.find(task).execution().attempts()).isEqualTo(new Attempts(crash + 1, crash));
        }
        try (var last = site.crash(w)) {
            assertInterrupted(outcome(last.awaitStopped(task)));
            assertThat(runs).hasValue(4);
        }
    }

    @Test
    void a_done_step_is_not_done_again() throws Exception {
        var steps = new AtomicInteger();
        var held = new CountDownLatch(1);
        Backend backend = run -> {
            var loaded = run.step("load", () -> text("rows " + steps.incrementAndGet()));
            if (run.attempt() == 1) {
                held.countDown();
                new CountDownLatch(1).await();
            }
            return new Outcome.Result(loaded, false);
        };
        var site = new TestEngine(work("w", CrashPolicy.RESTART, backend));
        var task = site.create("w");
        held.await();
        try (var next = site.crash(work("w", CrashPolicy.RESTART, backend))) {
            assertThat(outcome(next.awaitEnd(task))).isEqualTo(result("rows 1"));
            assertThat(steps).hasValue(1);
            assertThat(next.history(task)).contains(new EventDetail.Crashed(1), new EventDetail.Started(2));
        }
    }

    @Test
    void a_step_that_threw_may_be_tried_again_under_its_name_and_is_recorded_once() throws Exception {
        var tries = new AtomicInteger();
        var held = new CountDownLatch(1);
        Backend backend = run -> {
            Callable<Payload> fails = () -> {
                throw new IOException("attempt " + tries.incrementAndGet());
            };
            if (run.attempt() == 1) {
                try {
                    assertThatThrownBy(() -> run.step("load", fails)).hasMessage("attempt 1");
                    assertThatThrownBy(() -> run.step("load", fails)).hasMessage("attempt 2");
                    run.step("load", () -> text("rows " + tries.incrementAndGet()));
                    assertThatThrownBy(() -> run.step("load", fails)).hasMessageContaining("used before");
                } finally {
                    held.countDown();
                }
                new CountDownLatch(1).await();
            }
            return new Outcome.Result(run.step("load", fails), false);
        };
        var site = new TestEngine(work("w", CrashPolicy.RESTART, backend));
        var task = site.create("w");
        held.await();
        try (var next = site.crash(work("w", CrashPolicy.RESTART, backend))) {
            assertThat(outcome(next.awaitEnd(task))).isEqualTo(result("rows 3"));
            assertThat(next.history(task)).containsOnlyOnce(new EventDetail.StepDone("load", text("rows 3")));
        }
    }

    @Test
    void a_job_outside_is_found_again_by_its_handle_and_that_is_no_crash_of_it() throws Exception {
        Backend backend = run -> {
            if (run.handle().isPresent()) {
                return new Outcome.Result(run.handle().get(), false);
            }
            run.saveHandle(text("pid 7"));
            return forever.run(run);
        };
        var site = new TestEngine(work("w", CrashPolicy.REATTACH, backend));
        var task = begun(site);
        try (var next = site.crash(work("w", CrashPolicy.REATTACH, backend))) {
            var ended = next.awaitEnd(task);
            assertThat(outcome(ended)).isEqualTo(result("pid 7"));
            assertThat(ended.execution().attempts()).isEqualTo(new Attempts(2, 0));
        }
    }

    @Test
    void a_task_that_had_not_started_starts_after_the_restart() throws Exception {
        var site = new TestEngine(new Work("w", forever, CrashPolicy.FAIL, null, 1));
        site.create("w");
        var queued = site.create("w");
        started.acquire();
        try (var next = site.crash(work("w", CrashPolicy.FAIL, run -> result("ran")))) {
            assertThat(outcome(next.awaitEnd(queued))).isEqualTo(result("ran"));
        }
    }

    @Test
    void a_task_of_work_that_is_no_longer_offered_fails_with_a_clear_message() throws Exception {
        var site = new TestEngine(work("gone", CrashPolicy.RESTART, forever));
        var task = site.create("gone");
        try (var next = site.crash(work("w", forever))) {
            next.time.awaitAlarmWithin(TestEngine.LIMITS.offerGrace());
            next.time.advance(TestEngine.LIMITS.offerGrace());
            var ended = next.awaitStopped(task);
            assertInterrupted(outcome(ended));
            assertThat(outcome(ended).toString()).contains("does not offer 'gone'");
        }
    }

    @Test
    void progress_and_output_from_before_the_crash_are_kept() throws Exception {
        Backend backend = run -> {
            run.partial(text("piece " + run.attempt()));
            return run.attempt() == 1 ? forever.run(run) : result(run.partialCount() + " pieces");
        };
        var site = new TestEngine(work("w", CrashPolicy.RESTART, backend));
        var task = begun(site);
        try (var next = site.crash(work("w", CrashPolicy.RESTART, backend))) {
            assertThat(outcome(next.awaitEnd(task))).isEqualTo(result("2 pieces"));
        }
    }

    @Test
    void a_zombie_engine_cannot_write_once_another_has_taken_its_tasks() throws Exception {
        var go = new CountDownLatch(1);
        var zombie = new TestEngine(work("w", CrashPolicy.RESTART, run -> {
            started.release();
            go.await();
            return result("zombie");
        }));
        var task = begun(zombie);
        try (var heir =
                new TestEngine(zombie.time, zombie.store, TestEngine.LIMITS, work("w", CrashPolicy.RESTART, run -> {
                    started.release();
                    return new Outcome.Result(run.ask(null, "ask", text("?"), null), false);
                }))) {
            var key = heir.awaitQuestion(task).outstanding().getFirst().key();
            go.countDown();
            heir.engine.answer(ANN, task.id(), java.util.Map.of(key, text("heir")));
            assertThat(outcome(heir.awaitEnd(task))).isEqualTo(result("heir"));
        }
    }

    @Test
    void a_clean_stop_hands_back_and_counts_no_crash() throws Exception {
        var w = work("w", CrashPolicy.RESTART, forever);
        var site = new TestEngine(w);
        var task = begun(site);
        site.close();
        try (var next = site.crash(work("w", CrashPolicy.RESTART, run -> result("second")))) {
            var ended = next.awaitEnd(task);
            assertThat(outcome(ended)).isEqualTo(result("second"));
            assertThat(ended.execution().attempts()).isEqualTo(new Attempts(2, 0));
            assertThat(next.history(task)).contains(new EventDetail.HandedBack());
        }
    }

    @Test
    void work_that_ends_by_itself_within_the_grace_is_kept() throws Exception {
        var patient = TaskLimits.builder().handBackGrace(Duration.ofMinutes(1)).build();
        var work = work("w", CrashPolicy.RESTART, run -> {
            try {
                started.release();
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                assertThat(run.isHandingBack()).isTrue();
            }
            return result("just in time");
        });
        var site = new TestEngine(new FakeTime(), new MemoryTaskStore(), patient, work);
        var task = begun(site);
        site.close();
        assertThat(outcome(site.store.find(task.id()).orElseThrow())).isEqualTo(result("just in time"));
    }

    @Test
    void a_stop_with_stubborn_work_returns_and_its_late_result_changes_nothing() throws Exception {
        var go = new CountDownLatch(1);
        var late = new CountDownLatch(1);
        var site = new TestEngine(work("w", CrashPolicy.RESTART, run -> {
            started.release();
            for (boolean open = false; !open; ) {
                try {
                    go.await();
                    open = true;
                } catch (InterruptedException e) {
                    // work that does not listen
                }
            }
            late.countDown();
            return result("late");
        }));
        var task = begun(site);
        site.close();
        var left = site.store.find(task.id()).orElseThrow();
        assertThat(left.state()).isEqualTo(TaskState.WORKING);
        assertThat(left.execution().lease()).isNull();
        go.countDown();
        late.await();
        assertThat(site.store.find(task.id())).contains(left);
    }

    @Test
    void work_that_must_not_run_twice_is_interrupted_by_a_clean_stop_too() throws Exception {
        var site = new TestEngine(work("w", CrashPolicy.FAIL, forever));
        var task = begun(site);
        site.close();
        try (var next = site.crash(work("w", CrashPolicy.FAIL, forever))) {
            assertInterrupted(outcome(next.awaitStopped(task)));
            assertThat(runs).hasValue(1);
        }
    }
}
