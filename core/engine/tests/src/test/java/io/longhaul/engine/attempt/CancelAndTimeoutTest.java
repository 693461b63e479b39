// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.attempt;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.LIMITS;
import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.TaskEngine.Cancelled;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.StaleRunException;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.slot.RunThread;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import java.lang.Thread.State;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CancelAndTimeoutTest {

    /** Work outside of the server: its run blocks until its stop is called, and its stop until the test lets it. */
    private static final class Job implements Backend {
        final CountDownLatch started = new CountDownLatch(1);
        final CountDownLatch isStopping = new CountDownLatch(1);
        final CountDownLatch mayStop = new CountDownLatch(1);
        final AtomicInteger stops = new AtomicInteger();

        @Override
        public Outcome run(Run run) throws Exception {
            started.countDown();
            new CountDownLatch(1).await();
            return result("never");
        }

        @Override
        public void stop(Run run) throws InterruptedException {
            stops.incrementAndGet();
            isStopping.countDown();
            mayStop.await();
        }
    }

    /** Such work, which says what it has come to. */
    private static final class TellingJob implements Backend {
        final Job job = new Job();

        @Override
        public Outcome run(Run run) throws Exception {
            run.saveHandle(text("half"));
            return job.run(run);
        }

        @Override
        public void stop(Run run) throws InterruptedException {
            job.stop(run);
        }

        @Override
        public Outcome timedOut(Run run, Outcome.Failed end) {
            return new Outcome.Result(text(end.message() + " " + soFar(run)), true);
        }

        @Override
        public String cancelled(Run run, @Nullable String reason) {
            return reason + "\n" + soFar(run);
        }

        private static String soFar(Run run) {
            return run.handle().orElseThrow().text();
        }
    }

    @Test
    void closing_waits_until_work_is_stopped_whose_stop_has_begun() throws Exception {
        var job = new Job();
        var limits = TaskLimits.builder().handBackGrace(Duration.ofMinutes(1)).build();
        var work = new Work("w", job, CrashPolicy.REATTACH, null, 1);
        try (var site = new TestEngine(new FakeTime(), new MemoryTaskStore(), limits, work)) {
            var task = site.create("w");
            job.started.await();
            site.engine.cancel(ANN, task.id(), null);
            job.isStopping.await();
            var closing = Thread.ofPlatform().start(site.engine::close);
            while (closing.getState() != State.TIMED_WAITING && closing.isAlive()) {
                Thread.onSpinWait();
            }
            job.mayStop.countDown();
            closing.join();
            assertThat(site.store.find(task.id()).orElseThrow().hasEndedWork()).isTrue();
        }
    }

    @Test
    void closing_asks_work_to_stop_that_does_something_while_its_task_waits_for_an_answer() throws Exception {
        var stop = new CompletableFuture<RunThread.Stop>();
        try (var site = new TestEngine(work("w", CrashPolicy.RESTART, run -> {
            TestEngine.inBackground(() -> run.ask(null, "ask", text("?"), null));
            try {
                new CountDownLatch(1).await();
                return result("never");
            } catch (InterruptedException e) {
                stop.complete(((RunControl) run).thread().stop());
                throw e;
            }
        }))) {
            var task = site.awaitQuestion(site.create("w"));
            site.engine.close();
            assertThat(stop.get()).isEqualTo(RunThread.Stop.HANDING_BACK);
            assertThat(site.store.find(task.id()).orElseThrow().ending()).isNull();
        }
    }

    @Test
    void what_work_had_come_to_that_runs_too_long_is_its_result_and_it_is_stopped_after_that() throws Exception {
        var telling = new TellingJob();
        try (var site = new TestEngine(new Work("w", telling, CrashPolicy.FAIL, Duration.ofHours(1), 1))) {
            var task = site.create("w");
            var next = site.create("w");
            telling.job.started.await();
            site.time.advance(Duration.ofHours(1));
            var ended = site.awaitEnd(task);
            assertThat(ended.state()).isEqualTo(TaskState.COMPLETED);
            assertThat(outcome(ended))
                    .isEqualTo(new Outcome.Result(text("The task ran longer than its limit of 3600 s. half"), true));
            assertThat(site.find(next).state()).as("the slot stays taken").isEqualTo(TaskState.SUBMITTED);
            telling.job.mayStop.countDown();
            assertThat(outcome(site.awaitStopped(task))).isEqualTo(outcome(ended));
            assertThat(telling.job.stops).hasValue(1);
        }
    }

    @Test
    void what_work_had_come_to_is_the_result_too_where_its_time_ran_out_while_no_server_ran() throws Exception {
        var time = new FakeTime();
        var telling = new TellingJob();
        var work = new Work("w", telling, CrashPolicy.REATTACH, Duration.ofHours(1), 1);
        var site = new TestEngine(time, new MemoryTaskStore(), LIMITS, work);
        var task = site.create("w");
        telling.job.started.await();
        var store = site.store.reopen();
        time.advance(Duration.ofHours(2));
        telling.job.mayStop.countDown();
        try (var next = new TestEngine(time, store, LIMITS, work)) {
            assertThat(((Outcome.Result) outcome(next.awaitStopped(task))).isError())
                    .isTrue();
            assertThat(telling.job.stops).hasValue(1);
        }
    }

    @Test
    void what_work_had_come_to_that_is_cancelled_stands_below_the_reason() throws Exception {
        var telling = new TellingJob();
        telling.job.mayStop.countDown();
        try (var site = new TestEngine(work("w", telling))) {
            var task = site.create("w");
            telling.job.started.await();
            var done = (Cancelled.Done) site.engine.cancel(ANN, task.id(), "enough");
            assertThat(outcome(done.task())).isEqualTo(new Outcome.Cancelled("enough\nhalf"));
            assertThat(site.engine.cancel(ANN, task.id(), "again")).isInstanceOf(Cancelled.AlreadyEnded.class);
        }
    }

    @Test
    void a_backend_that_cannot_say_what_it_has_come_to_keeps_no_task_from_its_end() throws Exception {
        var job = new Job();
        job.mayStop.countDown();
        var failing = new Backend() {
            @Override
            public Outcome run(Run run) throws Exception {
                return job.run(run);
            }

            @Override
            public Outcome timedOut(Run run, Outcome.Failed end) {
                throw new IllegalStateException("not now");
            }

            @Override
            public String cancelled(Run run, @Nullable String reason) {
                throw new IllegalStateException("not now");
            }
        };
        try (var site = new TestEngine(new Work("w", failing, CrashPolicy.FAIL, Duration.ofHours(1), 2))) {
            var late = site.create("w");
            var unwanted = site.create("w");
            site.await(unwanted, now -> now.state() == TaskState.WORKING);
            site.await(late, now -> now.state() == TaskState.WORKING);
            site.engine.cancel(ANN, unwanted.id(), "enough");
            assertThat(outcome(site.awaitStopped(unwanted))).isEqualTo(new Outcome.Cancelled("enough"));
            site.time.advance(Duration.ofHours(1));
            assertTimedOut(site.awaitStopped(late));
        }
    }

    @Test
    void a_cancel_is_durable_before_the_work_has_stopped_and_says_so() throws Exception {
        var job = new Job();
        var one = new Work("w", job, CrashPolicy.FAIL, null, 1);
        try (var site = new TestEngine(one)) {
            var task = site.create("w");
            var next = site.create("w");
            job.started.await();
            var done = (Cancelled.Done) site.engine.cancel(ANN, task.id(), "enough");
            assertThat(outcome(done.task())).isEqualTo(new Outcome.Cancelled("enough"));
            assertThat(done.task().ending().workEnded()).isFalse();
            assertThat(site.find(next).state()).as("the slot stays taken").isEqualTo(TaskState.SUBMITTED);
            job.mayStop.countDown();
            site.awaitStopped(task);
            site.await(next, now -> now.state() == TaskState.WORKING);
            assertThat(site.engine.cancel(ANN, task.id(), "again")).isInstanceOf(Cancelled.AlreadyEnded.class);
            assertThat(site.history(task)).last().isEqualTo(new EventDetail.WorkEnded());
        }
    }

    @Test
    void a_task_that_never_started_has_stopped_when_it_is_cancelled() throws Exception {
        var job = new Job();
        try (var site = new TestEngine(new Work("w", job, CrashPolicy.FAIL, null, 1))) {
            site.create("w");
            var queued = site.create("w");
            var done = (Cancelled.Done) site.engine.cancel(ANN, queued.id(), null);
            assertThat(done.task().ending().workEnded()).isTrue();
            job.mayStop.countDown();
        }
    }

    @Test
    void a_late_completion_never_changes_a_cancelled_task() throws Exception {
        var interrupted = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        try (var site = new TestEngine(work("w", run -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
            go.await();
            assertThat(run.isStopping()).isTrue();
            assertThatThrownBy(() -> run.partial(text("late"))).isInstanceOf(StaleRunException.class);
            return result("late");
        }))) {
            var task = site.create("w");
            site.engine.cancel(ANN, task.id(), null);
            interrupted.await();
            go.countDown();
            var ended = site.awaitStopped(task);
            assertThat(outcome(ended)).isEqualTo(new Outcome.Cancelled(null));
            assertThat(site.store.find(task.id())).contains(ended);
        }
    }

    @Test
    void a_crash_between_the_cancel_and_the_end_of_the_job_is_made_good() throws Exception {
        var first = new Job();
        var site = new TestEngine(work("w", CrashPolicy.REATTACH, first));
        var task = site.create("w");
        first.started.await();
        site.engine.cancel(ANN, task.id(), null);
        var second = new Job();
        second.mayStop.countDown();
        try (var next = site.crash(work("w", CrashPolicy.REATTACH, second))) {
            var ended = next.awaitStopped(task);
            assertThat(outcome(ended)).isEqualTo(new Outcome.Cancelled(null));
            assertThat(second.stops).hasValue(1);
            assertThat(second.started.getCount()).as("is not run again").isEqualTo(1);
        }
    }

    @Test
    void a_stop_that_fails_is_tried_again() throws Exception {
        var stops = new AtomicInteger();
        var failed = new CountDownLatch(1);
        try (var site = new TestEngine(work("w", new Backend() {
            @Override
            public Outcome run(Run run) throws Exception {
                new CountDownLatch(1).await();
                return result("never");
            }

            @Override
            public void stop(Run run) {
                if (stops.incrementAndGet() == 1) {
                    failed.countDown();
                    throw new IllegalStateException("not now");
                }
            }
        }))) {
            var task = site.create("w");
            site.engine.cancel(ANN, task.id(), null);
            failed.await();
            site.time.awaitAlarms(2);
            assertThat(site.find(task).ending().workEnded()).isFalse();
            site.time.advance(Duration.ofSeconds(30));
            site.awaitStopped(task);
        }
    }

    @Test
    void work_that_runs_too_long_is_stopped_and_fails_as_timed_out() throws Exception {
        var job = new Job();
        try (var site = new TestEngine(new Work("w", job, CrashPolicy.FAIL, Duration.ofHours(1), 1))) {
            var task = site.create("w");
            job.started.await();
            site.time.advance(Duration.ofHours(1));
            var ended = site.awaitEnd(task);
            assertThat(outcome(ended))
                    .isInstanceOfSatisfying(
                            Outcome.Failed.class,
                            failed -> assertThat(failed.reason()).isEqualTo(FailureReason.TIMED_OUT));
            job.mayStop.countDown();
            site.awaitStopped(task);
        }
    }

    @Test
    void the_timeout_counts_from_the_first_start_over_all_attempts() throws Exception {
        var time = new FakeTime();
        var first = new Job();
        var site = new TestEngine(
                time, new MemoryTaskStore(), LIMITS, new Work("w", first, CrashPolicy.RESTART, Duration.ofHours(1), 1));
        var task = site.create("w");
        first.started.await();
        time.advance(Duration.ofMinutes(40));
        var second = new Job();
        second.mayStop.countDown();
        try (var next = site.crash(new Work("w", second, CrashPolicy.RESTART, Duration.ofHours(1), 1))) {
            second.started.await();
            time.advance(Duration.ofMinutes(20));
            var ended = next.awaitStopped(task);
            assertThat(ended.ending().at()).isEqualTo(FakeTime.START.plus(Duration.ofHours(1)));
            assertThat(outcome(ended)).isInstanceOf(Outcome.Failed.class);
        }
    }

    private static void assertTimedOut(Task ended) {
        assertThat(outcome(ended))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.reason()).isEqualTo(FailureReason.TIMED_OUT));
        assertThat(ended.execution().attempts().started()).isEqualTo(1);
    }

    @Test
    void a_task_whose_time_ran_out_while_no_server_ran_fails_as_timed_out_and_is_not_run_again() throws Exception {
        var time = new FakeTime();
        var job = new Job();
        var work = new Work("w", job, CrashPolicy.RESTART, Duration.ofHours(1), 1);
        var site = new TestEngine(time, new MemoryTaskStore(), LIMITS, work);
        var task = site.create("w");
        job.started.await();
        var store = site.store.reopen();
        time.advance(Duration.ofHours(2));
        job.mayStop.countDown();
        try (var next = new TestEngine(time, store, LIMITS, work)) {
            assertTimedOut(next.awaitStopped(task));
        }
    }

    @Test
    void a_task_that_waits_for_an_answer_over_a_restart_fails_as_timed_out_when_its_time_is_over() throws Exception {
        var time = new FakeTime();
        var work = new Work(
                "w",
                run -> new Outcome.Result(run.ask("q", "ask", text("?"), null), false),
                CrashPolicy.RESTART,
                Duration.ofHours(1),
                1);
        var site = new TestEngine(time, new MemoryTaskStore(), LIMITS, work);
        var task = site.create("w");
        site.awaitQuestion(task);
        time.awaitAlarms(3);
        try (var next = site.crash(work)) {
            time.awaitAlarms(6);
            time.advance(Duration.ofHours(1));
            assertTimedOut(next.awaitStopped(task));
        }
    }
}
