// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.recovery;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.LIMITS;
import static io.longhaul.engine.TestEngine.creation;
import static io.longhaul.engine.TestEngine.inBackground;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clock of the machine is set anew while tasks live. */
class ClockJumpsTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final FakeTime time = new FakeTime();
    private final MemoryTaskStore store = new MemoryTaskStore();
    private final CountDownLatch never = new CountDownLatch(1);
    private final Backend stuck = run -> {
        never.await();
        return result("never");
    };

    private TestEngine site(Work... works) {
        return new TestEngine(time, store, LIMITS, works);
    }

    private static FailureReason reason(Task task) {
        return ((Outcome.Failed) TestEngine.outcome(task)).reason();
    }

    @ParameterizedTest
    @ValueSource(longs = {3, -3})
    void a_timeout_comes_after_the_time_that_the_work_may_run_however_the_clock_is_set(long days) throws Exception {
        try (var site = site(new Work("stuck", stuck, CrashPolicy.FAIL, HOUR, 1))) {
            var task = site.create("stuck");
            time.jump(Duration.ofDays(days));
            time.advance(HOUR.minusMillis(1));
            assertThat(site.find(task).ending()).isNull();
            time.advance(Duration.ofMillis(1));
            assertThat(reason(site.awaitEnd(task))).isEqualTo(FailureReason.TIMED_OUT);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {3, -3})
    void a_question_waits_as_long_as_it_may_however_the_clock_is_set(long days) throws Exception {
        try (var site = site(work(
                "asks", run -> result(run.ask(null, "ask", text("?"), HOUR).text())))) {
            var task = site.awaitQuestion(site.create("asks"));
            time.awaitAlarmIn(HOUR);
            time.jump(Duration.ofDays(days));
            time.advance(HOUR.minusMillis(1));
            assertThat(site.find(task).ending()).isNull();
            time.advance(Duration.ofMillis(1));
            assertThat(reason(site.awaitEnd(task))).isEqualTo(FailureReason.UNANSWERED);
        }
    }

    @Test
    void no_retention_is_over_early_where_the_clock_is_set_back() throws Exception {
        try (var site = site(work("quick", run -> result("done")))) {
            var kept = Retention.fromCompletion(HOUR);
            var task = ((Created.New) site.engine.create(creation("quick", null, kept))).task();
            site.awaitEnd(task);
            time.jump(Duration.ofDays(-1));
            time.advance(HOUR.plusMinutes(2));
            assertThat(site.engine.find(ANN, task.id())).isPresent();
            time.jump(Duration.ofDays(1));
            assertThat(site.engine.find(ANN, task.id())).isEmpty();
        }
    }

    @Test
    void a_next_server_whose_clock_is_behind_takes_every_task_and_times_none_out_early() throws Exception {
        var policy = CrashPolicy.RESTART;
        var first = site(new Work("stuck", stuck, policy, HOUR, 1));
        var task = first.create("stuck");
        time.jump(Duration.ofDays(-1));
        try (var second = first.crash(new Work("stuck", stuck, policy, HOUR, 1))) {
            second.await(task, now -> now.execution().attempts().started() == 2);
            time.advance(HOUR);
            assertThat(second.find(task).state()).isEqualTo(TaskState.WORKING);
        }
    }

    @Test
    void progress_is_stored_though_the_clock_was_set_back() throws Exception {
        var steps = new LinkedBlockingQueue<Double>();
        Backend reports = run -> {
            for (double at = steps.take(); at > 0; at = steps.take()) {
                run.progress(new Progress(at, null, null));
                run.log("info", null, text("reported"));
            }
            return result("done");
        };
        try (var site = site(work("reports", reports))) {
            var task = site.create("reports");
            steps.add(1.0);
            site.await(task, now -> now.position().lastLog() > 0);
            time.jump(Duration.ofDays(-1));
            int alarms = time.alarms();
            steps.add(2.0);
            site.await(task, now -> now.status().progress().current() == 2);
            assertThat(time.alarms()).isEqualTo(alarms);
            steps.add(0.0);
            site.awaitEnd(task);
        }
    }

    @Test
    void who_waits_for_a_change_waits_no_longer_where_the_clock_is_set_back() throws Exception {
        try (var site = site(work("stuck", stuck))) {
            var task = site.create("stuck");
            var told = inBackground(() -> site.engine.awaitChange(
                    ANN, task.id(), task.position().version(), time.now().plus(HOUR)));
            time.awaitAlarmIn(HOUR);
            time.jump(Duration.ofDays(-1));
            time.advance(HOUR);
            assertThat(told.get()).isPresent();
        }
    }
}
