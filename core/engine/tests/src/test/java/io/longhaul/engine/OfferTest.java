// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.LIMITS;
import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** Work that is offered while the engine runs. */
class OfferTest {
    private final Semaphore started = new Semaphore(0);
    private final Backend forever = run -> {
        started.release();
        new CountDownLatch(1).await();
        return result("never");
    };

    @Test
    void work_can_be_offered_at_any_time() throws Exception {
        try (var site = new TestEngine()) {
            site.engine.offer(work("late", run -> result("ran")));
            assertThat(outcome(site.awaitEnd(site.create("late")))).isEqualTo(result("ran"));
        }
    }

    @Test
    void runs_that_have_begun_are_not_changed_by_work_that_is_offered_in_place_of_theirs() throws Exception {
        var gate = new CountDownLatch(1);
        var one = new Work("w", held(gate), CrashPolicy.FAIL, null, 1);
        try (var site = new TestEngine(one)) {
            var runs = site.create("w");
            started.acquire();
            var waits = site.create("w");
            site.engine.offer(work("w", run -> result("new")));
            assertThat(outcome(site.awaitEnd(waits))).isEqualTo(result("new"));
            gate.countDown();
            assertThat(outcome(site.awaitEnd(runs))).isEqualTo(result("old"));
        }
    }

    @Test
    void a_run_is_stopped_by_the_work_with_which_it_has_begun() throws Exception {
        var stopped = new CountDownLatch(1);
        try (var site = new TestEngine(work("w", stopping(stopped::countDown)))) {
            var task = site.create("w");
            started.acquire();
            var wrong = new CountDownLatch(1);
            site.engine.offer(work("w", stopping(wrong::countDown)));
            site.engine.cancel(ANN, task.id(), null);
            assertThat(site.awaitStopped(task).state()).isEqualTo(TaskState.CANCELLED);
            assertThat(stopped.getCount()).isZero();
            assertThat(wrong.getCount()).isEqualTo(1);
        }
    }

    private Backend stopping(Runnable stop) {
        return new Backend() {
            @Override
            public Outcome run(Run run) throws Exception {
                return forever.run(run);
            }

            @Override
            public void stop(Run run) {
                stop.run();
            }
        };
    }

    @Test
    void limits_that_change_count_for_the_tasks_that_wait_and_for_those_to_come() throws Exception {
        var few = TaskLimits.builder().running(1).livePerOwner(2).build();
        try (var site = new TestEngine(new FakeTime(), new MemoryTaskStore(), few, work("w", forever))) {
            site.create("w");
            var waits = site.create("w");
            started.acquire();
            assertThat(site.find(waits).state()).isEqualTo(TaskState.SUBMITTED);
            assertThat(site.engine.create(TestEngine.creation("w"))).isEqualTo(new Created.TooManyLive(2));
            site.engine.limits(TaskLimits.builder().running(2).livePerOwner(3).build());
            site.await(waits, task -> task.state() == TaskState.WORKING);
            var third = site.create("w");
            site.engine.limits(few);
            assertThat(site.engine.create(TestEngine.creation("w"))).isEqualTo(new Created.TooManyLive(2));
            site.engine.cancel(ANN, waits.id(), null);
            site.awaitStopped(waits);
            assertThat(site.find(third).state()).isEqualTo(TaskState.SUBMITTED);
            assertThat(site.engine.statistics().slots()).isEqualTo(1);
        }
    }

    @Test
    void a_queue_goes_on_when_more_tasks_of_an_owner_may_live() throws Exception {
        var few = TaskLimits.builder().livePerOwner(1).queuedPerOwner(5);
        try (var site = new TestEngine(new FakeTime(), new MemoryTaskStore(), few.build(), work("w", forever))) {
            site.create("w");
            var waits = site.create("w");
            started.acquire();
            site.engine.limits(few.livePerOwner(2).build());
            site.await(waits, task -> task.state() == TaskState.WORKING);
        }
    }

    @Test
    void fewer_slots_hold_new_runs_back_until_enough_have_ended() throws Exception {
        var gate = new CountDownLatch(1);
        try (var site = new TestEngine(work("w", held(gate)))) {
            var first = site.create("w");
            var second = site.create("w");
            started.acquire(2);
            site.engine.offer(new Work("w", run -> result("new"), CrashPolicy.FAIL, null, 1));
            var third = site.create("w");
            assertThat(site.find(third).state()).isEqualTo(TaskState.SUBMITTED);
            gate.countDown();
            assertThat(outcome(site.awaitEnd(third))).isEqualTo(result("new"));
            site.awaitEnd(first);
            site.awaitEnd(second);
        }
    }

    @Test
    void a_job_whose_work_is_offered_no_more_is_followed_and_its_outcome_kept() throws Exception {
        var site = new TestEngine(
                work("gone", CrashPolicy.REATTACH, run -> {
                    run.saveHandle(text("pid 7"));
                    return forever.run(run);
                }),
                work("handler", CrashPolicy.RESTART, forever));
        var job = site.create("gone");
        var handler = site.create("handler");
        started.acquire(2);
        var time = site.time;
        try (var next = DurableEngine.builder()
                .store(site.store.reopen())
                .time(time)
                .leftJobs(run -> new Outcome.Result(run.handle().orElseThrow(), false))
                .start()) {
            time.awaitAlarmWithin(TestEngine.LIMITS.offerGrace());
            time.advance(TestEngine.LIMITS.offerGrace());
            assertThat(outcome(ended(next, job))).isEqualTo(result("pid 7"));
            assertThat(outcome(ended(next, handler)).toString()).contains("does not offer 'handler'");
        }
    }

    private static Task ended(TaskEngine engine, Task task) throws InterruptedException {
        var now = engine.find(TestEngine.ANN, task.id()).orElseThrow();
        while (!now.state().isTerminal()) {
            now = engine.awaitChange(TestEngine.ANN, task.id(), now.position().version(), TestEngine.NEVER)
                    .orElseThrow();
        }
        return now;
    }

    @Test
    void a_task_waits_after_a_restart_for_its_work_to_be_offered() throws Exception {
        var site = new TestEngine(
                work("again", CrashPolicy.RESTART, forever),
                work("once", CrashPolicy.FAIL, forever),
                new Work("queued", forever, CrashPolicy.FAIL, null, 1));
        var again = site.create("again");
        var once = site.create("once");
        site.create("queued");
        started.acquire(3);
        var queued = site.create("queued");
        try (var next = site.crash()) {
            next.time.awaitAlarmWithin(LIMITS.offerGrace());
            assertThat(next.find(again).state()).isEqualTo(TaskState.WORKING);
            next.engine.offer(work("again", CrashPolicy.RESTART, run -> result("attempt " + run.attempt())));
            next.engine.offer(work("once", run -> result("never")));
            next.engine.offer(work("queued", run -> result("started")));
            assertThat(outcome(next.awaitEnd(again))).isEqualTo(result("attempt 2"));
            assertThat(outcome(next.awaitEnd(once))).isInstanceOf(Outcome.Failed.class);
            assertThat(outcome(next.awaitEnd(queued))).isEqualTo(result("started"));
        }
    }

    @Test
    void a_task_that_is_cancelled_while_it_waits_for_its_work_is_stopped_when_that_comes() throws Exception {
        var site = new TestEngine(work("gone", CrashPolicy.REATTACH, forever));
        var task = site.create("gone");
        started.acquire();
        try (var next = site.crash()) {
            next.time.awaitAlarmWithin(LIMITS.offerGrace());
            next.engine.cancel(ANN, task.id(), null);
            assertThat(next.find(task).state()).isEqualTo(TaskState.CANCELLED);
            var stopped = new CountDownLatch(1);
            next.engine.offer(work("gone", CrashPolicy.REATTACH, new Backend() {
                @Override
                public Outcome run(Run run) {
                    return result("never");
                }

                @Override
                public void stop(Run run) {
                    stopped.countDown();
                }
            }));
            stopped.await();
            assertThat(next.awaitStopped(task).state()).isEqualTo(TaskState.CANCELLED);
        }
    }

    private Backend held(CountDownLatch gate) {
        return run -> {
            started.release();
            gate.await();
            return result("old");
        };
    }
}
