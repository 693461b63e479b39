// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.recovery;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static io.longhaul.engine.TestEngine.work;
import static io.longhaul.engine.children.ChildCalls.ECHO;
import static io.longhaul.engine.children.ChildCalls.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TestEngine;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Task;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which crashes count as attempts at work that may run again. */
@Timeout(60)
class CrashAttemptsTest {

    private static final int CRASHES = 2 * TestEngine.LIMITS.crashAttempts();

    private final Semaphore recorded = new Semaphore(0);

    /** What work records in each of its attempts, before its server dies. */
    enum Recorded {
        STEP {
            @Override
            void by(Run run) throws Exception {
                for (int i = 1; i <= run.attempt(); i++) {
                    run.step("step " + i, () -> text("done"));
                }
            }
        },
        PIECE {
            @Override
            void by(Run run) {
                run.partial(text("piece " + run.partialCount()));
            }
        },
        ANSWER {
            @Override
            void by(Run run) throws Exception {
                for (int i = 1; i <= run.attempt(); i++) {
                    run.ask("q" + i, "ask", text("?"), null);
                }
            }
        },
        CHILD {
            @Override
            void by(Run run) throws Exception {
                for (int i = 1; i <= run.attempt(); i++) {
                    run.call("child " + i, call("c", "hello")).await();
                }
            }
        };

        abstract void by(Run run) throws Exception;
    }

    private interface Attempt {
        void run(Run run) throws Exception;
    }

    /** Work whose server dies in each attempt but the last that it is to have. */
    private Work dying(Attempt attempt) {
        return work("w", CrashPolicy.RESTART, run -> {
            attempt.run(run);
            // A log line and progress are no signs that the work goes forward.
            run.log("info", null, text("line"));
            run.status("attempt " + run.attempt());
            recorded.release();
            if (run.attempt() <= CRASHES) {
                new CountDownLatch(1).await();
            }
            return result("done");
        });
    }

    private TestEngine afterCrashes(Task task, TestEngine first, Work... works) throws InterruptedException {
        var site = first;
        for (int crash = 1; crash <= CRASHES; crash++) {
            awaitRecorded(site, task);
            site = site.crash(works);
        }
        return site;
    }

    private void awaitRecorded(TestEngine site, Task task) throws InterruptedException {
        while (!recorded.tryAcquire()) {
            var now = site.find(task);
            now.outstanding()
                    .forEach(question -> site.engine.answer(ANN, task.id(), Map.of(question.key(), text("yes"))));
            if (now.state().isTerminal()) {
                return;
            }
            Thread.onSpinWait();
        }
    }

    private static void assertGivenUp(Task task) {
        assertThat(outcome(task)).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.reason()).isEqualTo(FailureReason.INTERRUPTED);
            assertThat(failed.message()).contains("4 times since the work last recorded anything new");
        });
    }

    @ParameterizedTest
    @EnumSource
    void work_that_records_something_new_before_each_crash_runs_on(Recorded what) throws Exception {
        var works = new Work[] {dying(what::by), work("c", ECHO)};
        var first = new TestEngine(works);
        var task = first.create("w");
        try (var last = afterCrashes(task, first, works)) {
            awaitRecorded(last, task);
            assertThat(outcome(last.awaitEnd(task))).isEqualTo(result("done"));
        }
    }

    @Test
    void work_that_records_nothing_new_is_given_up() throws Exception {
        var work = dying(run -> run.step("step", () -> text("done")));
        var first = new TestEngine(work);
        var task = first.create("w");
        try (var last = afterCrashes(task, first, work)) {
            assertGivenUp(last.awaitEnd(task));
        }
    }

    @Test
    void pieces_that_are_given_once_more_after_each_crash_are_nothing_new() throws Exception {
        var work = dying(run -> {
            run.partial(text("1 of 5"));
            run.partial(text("2 of 5"));
        });
        var first = new TestEngine(work);
        var task = first.create("w");
        try (var last = afterCrashes(task, first, work)) {
            assertGivenUp(last.awaitEnd(task));
        }
    }

    @Test
    void crashes_before_the_work_went_forward_count_no_more() throws Exception {
        var work = dying(run -> {
            if (run.attempt() > TestEngine.LIMITS.crashAttempts()) {
                run.step("late", () -> text("done"));
            }
        });
        var first = new TestEngine(work);
        var task = first.create("w");
        try (var last = afterCrashes(task, first, work)) {
            awaitRecorded(last, task);
            assertThat(outcome(last.awaitEnd(task))).isEqualTo(result("done"));
        }
    }

    @Test
    void a_parent_is_not_given_up_while_its_child_goes_on() throws Exception {
        var go = new CountDownLatch(1);
        var parent = work("w", CrashPolicy.RESTART, run -> {
            var child = run.call("c", call("job", "hello"));
            recorded.release();
            return outcome(child.await());
        });
        var works = new Work[] {parent, work("job", CrashPolicy.REATTACH, TestEngine.held(go, "hello"))};
        var first = new TestEngine(works);
        var task = first.create("w");
        try (var last = afterCrashes(task, first, works)) {
            awaitRecorded(last, task);
            go.countDown();
            assertThat(outcome(last.awaitEnd(task))).isEqualTo(result("hello"));
            assertThat(last.find(task).execution().attempts().crashes()).isZero();
        }
    }
}
