// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.attempt;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TestEngine;
import io.longhaul.engine.children.ChildCalls;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Retry;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.run.Work.Bounds;
import io.longhaul.engine.task.Attempts;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Work that asks for a retry after a failure. */
@Timeout(30)
class RetriedTaskTest {

    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final Outcome FAILURE = new Outcome.Error(-1, "no room", null);

    /** The alarms of an engine without tasks. */
    private static final int OF_ENGINE = 1;

    private static Work retried(CrashPolicy policy, int count, Backend backend) {
        return retried(policy, count, null, backend);
    }

    private static Work retried(CrashPolicy policy, int count, @Nullable Duration timeout, Backend backend) {
        return new Work("w", backend, policy, new Bounds(timeout, 1), null, new Retry(count, PAUSE));
    }

    @Test
    void a_retry_without_a_pause_follows_at_once() throws Exception {
        Backend backend = run -> run.retries() < 3 ? failed(run) : result("done");
        var work = new Work("w", backend, CrashPolicy.FAIL, new Bounds(null, 1), null, new Retry(3, Duration.ZERO));
        try (var site = new TestEngine(work)) {
            assertThat(outcome(site.awaitEnd(site.create("w")))).isEqualTo(result("done"));
        }
    }

    private static Outcome failed(Run run) {
        run.retry("failed: no room");
        return FAILURE;
    }

    /** Waits until a task is in the pause before a retry, and has left its slot. */
    private static Task awaitPause(TestEngine site, Task task, int alarms) throws InterruptedException {
        var paused = site.await(task, now -> now.execution().attempts().retryAt() != null);
        site.time.awaitAlarms(OF_ENGINE + alarms);
        return paused;
    }

    @Test
    void a_failed_attempt_is_followed_by_another_after_a_pause_and_its_steps_are_kept() throws Exception {
        var steps = new AtomicInteger();
        try (var site = new TestEngine(retried(CrashPolicy.FAIL, 3, run -> {
            var step = run.step("load", () -> text("row " + steps.incrementAndGet()));
            return run.retries() < 2 ? failed(run) : result(step.text());
        }))) {
            var task = site.create("w");
            var paused = awaitPause(site, task, 1);
            assertThat(paused.state()).isEqualTo(TaskState.WORKING);
            assertThat(paused.status().message())
                    .isEqualTo("Attempt 1 of at most 4 failed: no room; the next one begins in 10 s.");
            assertThat(paused.execution().attempts())
                    .isEqualTo(new Attempts(1, 0, 1, site.time.now().plus(PAUSE)));

            site.time.advance(PAUSE.minusMillis(1));
            assertThat(site.find(task).execution().attempts().started()).isEqualTo(1);
            site.time.advance(Duration.ofMillis(1));
            site.await(task, now -> now.execution().attempts().failed() == 2);
            site.time.awaitAlarms(OF_ENGINE + 1);
            site.time.advance(PAUSE.multipliedBy(2));

            var ended = site.awaitEnd(task);
            assertThat(outcome(ended)).isEqualTo(result("row 1"));
            assertThat(ended.execution().attempts()).isEqualTo(new Attempts(3, 0, 2, null));
            assertThat(site.history(task))
                    .contains(
                            new EventDetail.Said(
                                    "Attempt 1 of at most 4 failed: no room; the next one begins in 10 s."),
                            new EventDetail.Started(2),
                            new EventDetail.Said(
                                    "Attempt 2 of at most 4 failed: no room; the next one begins in 20 s."),
                            new EventDetail.Started(3));
        }
    }

    @Test
    void the_failure_of_the_last_attempt_is_the_outcome() throws Exception {
        try (var site = new TestEngine(retried(CrashPolicy.FAIL, 1, RetriedTaskTest::failed))) {
            var task = site.create("w");
            awaitPause(site, task, 1);
            site.time.advance(PAUSE);
            var ended = site.awaitStopped(task);
            assertThat(outcome(ended)).isEqualTo(FAILURE);
            assertThat(ended.execution().attempts()).isEqualTo(new Attempts(2, 0, 1, null));
        }
    }

    @ParameterizedTest
    @EnumSource(CrashPolicy.class)
    void a_server_that_dies_in_the_pause_is_followed_by_one_that_waits_for_the_rest_of_it(CrashPolicy policy)
            throws Exception {
        var first = new TestEngine(retried(policy, 1, RetriedTaskTest::failed));
        var task = first.create("w");
        var paused = awaitPause(first, task, 1);
        first.time.advance(PAUSE.minusSeconds(1));

        var attempts = new ConcurrentLinkedQueue<Integer>();
        try (var next = first.crash(retried(policy, 1, run -> {
            attempts.add(run.attempt());
            return result("after " + run.retries());
        }))) {
            next.time.awaitAlarms(2 * OF_ENGINE + 2);
            assertThat(next.find(task).execution().attempts())
                    .isEqualTo(paused.execution().attempts());
            next.time.advance(Duration.ofSeconds(1));
            var ended = next.awaitEnd(task);
            assertThat(outcome(ended)).isEqualTo(result("after 1"));
            assertThat(ended.execution().attempts()).isEqualTo(new Attempts(2, 0, 1, null));
            assertThat(attempts).containsExactly(2);
        }
    }

    @Test
    void a_crash_of_a_retry_is_no_other_retry() throws Exception {
        var runs = new CountDownLatch(1);
        var first = new TestEngine(retried(CrashPolicy.RESTART, 1, run -> {
            if (run.retries() == 0) {
                return failed(run);
            }
            runs.countDown();
            new CountDownLatch(1).await();
            return result("never");
        }));
        var task = first.create("w");
        awaitPause(first, task, 1);
        first.time.advance(PAUSE);
        runs.await();
        try (var next = first.crash(
                retried(CrashPolicy.RESTART, 1, run -> result(run.retries() + " " + run.retry("failed"))))) {
            var ended = next.awaitEnd(task);
            assertThat(outcome(ended)).isEqualTo(result("1 false"));
            assertThat(ended.execution().attempts()).isEqualTo(new Attempts(3, 1, 1, null));
        }
    }

    @Test
    void a_cancel_ends_the_pause_and_no_attempt_follows() throws Exception {
        try (var site = new TestEngine(retried(CrashPolicy.FAIL, 1, RetriedTaskTest::failed))) {
            var task = site.create("w");
            awaitPause(site, task, 1);
            site.engine.cancel(ANN, task.id(), "enough");
            var ended = site.awaitStopped(task);
            assertThat(outcome(ended)).isEqualTo(new Outcome.Cancelled("enough"));
            assertThat(site.time.alarms()).isEqualTo(OF_ENGINE);
            assertThat(ended.execution().attempts().started()).isEqualTo(1);
        }
    }

    @Test
    void the_timeout_bounds_all_attempts() throws Exception {
        var work = retried(CrashPolicy.FAIL, 5, Duration.ofSeconds(15), RetriedTaskTest::failed);
        try (var site = new TestEngine(work)) {
            var task = site.create("w");
            awaitPause(site, task, 2);
            site.time.advance(PAUSE);
            site.await(task, now -> now.execution().attempts().failed() == 2);
            site.time.awaitAlarms(OF_ENGINE + 2);
            site.time.advance(Duration.ofSeconds(5));
            assertThat(outcome(site.awaitStopped(task)))
                    .isEqualTo(
                            new Outcome.Failed(FailureReason.TIMED_OUT, "The task ran longer than its limit of 15 s."));
        }
    }

    @Test
    void others_have_the_slot_in_the_pause() throws Exception {
        try (var site = new TestEngine(retried(
                CrashPolicy.FAIL,
                1,
                run -> run.spec().request().equals(text("{}")) && run.retries() == 0 ? failed(run) : result("done")))) {
            var task = site.create("w");
            awaitPause(site, task, 1);
            assertThat(site.engine.statistics().slotsTaken()).isZero();
            var second = site.create("w");
            site.await(second, now -> now.execution().attempts().failed() == 1);
            site.time.awaitAlarms(OF_ENGINE + 2);
            site.time.advance(PAUSE);
            assertThat(outcome(site.awaitEnd(task))).isEqualTo(result("done"));
            assertThat(outcome(site.awaitEnd(second))).isEqualTo(result("done"));
        }
    }

    @Test
    void the_next_attempt_has_no_handle_of_the_job_that_has_failed() throws Exception {
        try (var site = new TestEngine(retried(CrashPolicy.REATTACH, 1, run -> {
            if (run.handle().isPresent()) {
                return result("the old job");
            }
            run.saveHandle(text("job " + run.retries()));
            return run.retries() == 0 ? failed(run) : result("another job");
        }))) {
            var task = site.create("w");
            awaitPause(site, task, 1);
            site.time.advance(PAUSE);
            assertThat(outcome(site.awaitEnd(task))).isEqualTo(result("another job"));
        }
    }

    @Test
    void a_retry_calls_a_child_again_that_has_failed_and_no_other_one() throws Exception {
        var good = new AtomicInteger();
        var bad = new AtomicInteger();
        var works = List.of(
                TestEngine.work("good", run -> result("good " + good.incrementAndGet())),
                TestEngine.work("bad", run -> bad.incrementAndGet() == 1 ? FAILURE : result("good at last")));
        Backend parent = run -> {
            var first = outcome(run.call("first", ChildCalls.call("good", "{}")).await());
            var second =
                    outcome(run.call("second", ChildCalls.call("bad", "{}")).await());
            return second.equals(FAILURE) ? failed(run) : result(first + " " + second);
        };
        try (var site = new TestEngine(works.get(0), works.get(1), retried(CrashPolicy.FAIL, 1, parent))) {
            var task = site.create("w");
            awaitPause(site, task, 1);
            site.time.advance(PAUSE);
            assertThat(outcome(site.awaitStopped(task)))
                    .isEqualTo(result(result("good 1") + " " + result("good at last")));
            assertThat(good).hasValue(1);
            assertThat(bad).hasValue(2);
        }
    }
}
