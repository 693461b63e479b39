// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.attempt;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Retry;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.StaleRunException;
import io.longhaul.engine.run.SuspendedException;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.run.Work.Bounds;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Work whose thread is freed while its task waits for an answer. */
@Timeout(30)
class SuspensionTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration DEADLINE = Duration.ofMinutes(5);

    /** The alarms of an engine without tasks. */
    private static final int OF_ENGINE = 1;

    private static Work suspended(Backend backend) {
        return new Work("w", backend, CrashPolicy.RESTART, new Bounds(null, Integer.MAX_VALUE), PATIENCE, Retry.NEVER);
    }

    private static String ask(Run run, String question) throws InterruptedException {
        return run.ask(question, "ask", text("?"), DEADLINE).text();
    }

    private static void answer(TestEngine site, Task task, String key, String text) {
        site.engine.answer(ANN, task.id(), Map.of(key, text(text)));
    }

    /** Creates a task and lets the time pass until its attempt has left its thread. */
    private static Task suspend(TestEngine site, CountDownLatch left) throws InterruptedException {
        var task = site.awaitQuestion(site.create("w"));
        site.time.awaitAlarms(OF_ENGINE + 2);
        site.time.advance(PATIENCE);
        left.await();
        return task;
    }

    /** Work that asks once, and opens a latch whenever an attempt is over. */
    private static Backend asking(CountDownLatch left) {
        return run -> {
            try {
                return result(ask(run, "q"));
            } finally {
                left.countDown();
            }
        };
    }

    @Test
    void an_answer_that_comes_late_begins_another_attempt_that_repeats_no_step() throws Exception {
        var left = new CountDownLatch(1);
        var steps = new AtomicInteger();
        try (var site = new TestEngine(suspended(run -> {
            run.step("load", () -> text("row " + steps.incrementAndGet()));
            return asking(left).run(run);
        }))) {
            var task = suspend(site, left);
            assertThat(site.find(task).state()).isEqualTo(TaskState.INPUT_REQUIRED);
            answer(site, task, "q", "yes");
            var ended = site.awaitEnd(task);
            assertThat(outcome(ended)).isEqualTo(result("yes"));
            assertThat(ended.execution().attempts().started()).isEqualTo(2);
            assertThat(ended.execution().attempts().crashes()).isZero();
            assertThat(steps).hasValue(1);
        }
    }

    @Test
    void an_answer_that_comes_in_time_is_for_the_attempt_that_has_asked() throws Exception {
        try (var site = new TestEngine(suspended(run -> result(ask(run, "a") + ask(run, "b"))))) {
            var task = site.awaitQuestion(site.create("w"));
            site.time.awaitAlarms(OF_ENGINE + 2);
            site.time.advance(PATIENCE.minusMillis(1));
            answer(site, task, "a", "1");
            site.await(task, now -> now.status().inputs().size() == 2);
            site.time.awaitAlarms(OF_ENGINE + 2);
            site.time.advance(PATIENCE.minusMillis(1));
            answer(site, task, "b", "2");
            var ended = site.awaitEnd(task);
            assertThat(outcome(ended)).isEqualTo(result("12"));
            assertThat(ended.execution().attempts().started()).isEqualTo(1);
        }
    }

    @Test
    void a_suspended_task_whose_question_is_not_answered_fails_at_the_deadline() throws Exception {
        var left = new CountDownLatch(1);
        try (var site = new TestEngine(suspended(asking(left)))) {
            var task = suspend(site, left);
            site.time.awaitAlarms(OF_ENGINE + 1);
            site.time.advance(DEADLINE.minus(PATIENCE));
            assertThat(outcome(site.awaitStopped(task)))
                    .isInstanceOfSatisfying(
                            Outcome.Failed.class,
                            failed -> assertThat(failed.reason()).isEqualTo(FailureReason.UNANSWERED));
        }
    }

    @Test
    void a_suspended_task_can_be_cancelled_and_leaves_no_alarms() throws Exception {
        var left = new CountDownLatch(1);
        try (var site = new TestEngine(suspended(asking(left)))) {
            var task = suspend(site, left);
            site.engine.cancel(ANN, task.id(), "enough");
            assertThat(site.awaitStopped(task).state()).isEqualTo(TaskState.CANCELLED);
            assertThat(site.time.alarms()).isEqualTo(OF_ENGINE);
        }
    }

    @Test
    void questions_that_were_answered_late_leave_no_alarms() throws Exception {
        var asked = List.of("a", "b", "c", "d");
        try (var site = new TestEngine(suspended(run -> {
            for (String question : asked) {
                ask(run, question);
            }
            return result("all");
        }))) {
            var task = site.create("w");
            for (String question : asked) {
                site.await(
                        task,
                        now -> now.outstanding().stream()
                                .anyMatch(open -> open.key().equals(question)));
                site.time.awaitAlarms(OF_ENGINE + 2);
                assertThat(site.time.alarms()).isEqualTo(OF_ENGINE + 2);
                site.time.advance(PATIENCE);
                answer(site, task, question, "yes");
            }
            site.awaitEnd(task);
            assertThat(site.time.alarms()).isEqualTo(OF_ENGINE);
        }
    }

    @Test
    void what_an_attempt_does_after_its_suspension_counts_for_nothing() throws Exception {
        var refused = new ConcurrentLinkedQueue<Throwable>();
        var interrupted = new ConcurrentLinkedQueue<Boolean>();
        var left = new CountDownLatch(1);
        try (var site = new TestEngine(suspended(run -> {
            try {
                return result(ask(run, "q"));
            } catch (SuspendedException e) {
                interrupted.add(Thread.currentThread().isInterrupted());
                for (Runnable late : List.<Runnable>of(
                        () -> run.status("late"),
                        () -> run.partial(text("late")),
                        () -> run.saveHandle(text("late")))) {
                    assertThatThrownBy(late::run).satisfies(refused::add);
                }
                return result("interrupted");
            } finally {
                left.countDown();
            }
        }))) {
            var task = suspend(site, left);
            site.time.awaitAlarms(OF_ENGINE + 1);
            assertThat(interrupted).containsExactly(false);
            assertThat(refused).hasSize(3).allMatch(StaleRunException.class::isInstance);
            answer(site, task, "q", "yes");
            assertThat(outcome(site.awaitEnd(task))).isEqualTo(result("yes"));
        }
    }

    @Test
    void the_next_attempt_does_not_begin_before_the_suspended_one_is_over() throws Exception {
        var interrupted = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        try (var site = new TestEngine(suspended(run -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            try {
                return result(ask(run, "q"));
            } catch (InterruptedException e) {
                interrupted.countDown();
                mayEnd.await();
                throw e;
            } finally {
                running.decrementAndGet();
            }
        }))) {
            var task = suspend(site, interrupted);
            answer(site, task, "q", "yes");
            assertThat(site.find(task).execution().attempts().started()).isEqualTo(1);
            mayEnd.countDown();
            assertThat(outcome(site.awaitEnd(task))).isEqualTo(result("yes"));
            assertThat(most).hasValue(1);
        }
    }

    @Test
    void an_attempt_is_not_suspended_while_only_another_of_its_threads_waits_for_an_answer() throws Exception {
        var goOn = new CountDownLatch(1);
        try (var site = new TestEngine(suspended(run -> {
            var answer = TestEngine.inBackground(() -> ask(run, "q"));
            goOn.await();
            return result(answer.get());
        }))) {
            var task = site.awaitQuestion(site.create("w"));
            site.time.awaitAlarms(OF_ENGINE + 2);
            site.time.advance(PATIENCE);
            answer(site, task, "q", "yes");
            goOn.countDown();
            var ended = site.awaitEnd(task);
            assertThat(outcome(ended)).isEqualTo(result("yes"));
            assertThat(ended.execution().attempts().started()).isEqualTo(1);
        }
    }

    @Test
    void an_attempt_whose_task_several_threads_work_at_is_not_suspended() throws Exception {
        var helping = new CountDownLatch(1);
        var mayStep = new CountDownLatch(1);
        try (var site = new TestEngine(suspended(run -> {
            var helper = TestEngine.inBackground(() -> run.step("step", () -> {
                helping.countDown();
                mayStep.await();
                return text("done");
            }));
            return result(ask(run, "q") + helper.get().text());
        }))) {
            var task = site.awaitQuestion(site.create("w"));
            helping.await();
            site.time.awaitAlarms(OF_ENGINE + 2);
            site.time.advance(PATIENCE);
            mayStep.countDown();
            answer(site, task, "q", "yes ");
            var ended = site.awaitEnd(task);
            assertThat(outcome(ended)).isEqualTo(result("yes done"));
            assertThat(ended.execution().attempts().started()).isEqualTo(1);
        }
    }

    private static Stream<Consumer<Run>> uses() {
        return Stream.of(
                run -> run.progress(new Progress(1, null, null)),
                run -> run.status("helped"),
                run -> run.log("info", null, text("helped")),
                run -> run.partial(text("helped")),
                run -> run.saveHandle(text("helped")));
    }

    @ParameterizedTest
    @MethodSource("uses")
    void an_attempt_whose_task_another_thread_only_writes_is_not_suspended(Consumer<Run> use) throws Exception {
        var helped = new CountDownLatch(1);
        try (var site = new TestEngine(suspended(run -> {
            TestEngine.inBackground(() -> {
                use.accept(run);
                helped.countDown();
                return run;
            });
            return result(ask(run, "q"));
        }))) {
            var task = site.awaitQuestion(site.create("w"));
            helped.await();
            site.time.awaitAlarms(OF_ENGINE + 2);
            site.time.advance(PATIENCE);
            answer(site, task, "q", "yes");
            var ended = site.awaitEnd(task);
            assertThat(outcome(ended)).isEqualTo(result("yes"));
            assertThat(ended.execution().attempts().started()).isEqualTo(1);
        }
    }

    @Test
    void a_task_whose_answer_waits_for_a_slot_as_the_server_stops_has_not_crashed() throws Exception {
        var left = new CountDownLatch(1);
        var busy = new CountDownLatch(1);
        var single = single(busy, asking(left));
        var first = new TestEngine(single);
        var task = suspend(first, left);
        first.time.awaitAlarms(OF_ENGINE + 1);
        occupy(first);
        answer(first, task, "q", "yes");
        first.close();
        busy.countDown();
        try (var second = first.crash(single)) {
            var ended = second.awaitEnd(task);
            assertThat(outcome(ended)).isEqualTo(result("yes"));
            assertThat(ended.execution().attempts().crashes()).isZero();
        }
    }

    /** Work with one slot, which a task of {@link #occupy} keeps until {@code end} opens. */
    private static Work single(CountDownLatch end, Backend others) {
        Backend backend = run -> {
            if (!run.spec().request().text().equals("busy")) {
                return others.run(run);
            }
            end.await();
            return result("busy");
        };
        return new Work("w", backend, CrashPolicy.RESTART, new Bounds(null, 1), PATIENCE, Retry.NEVER);
    }

    private static TaskId occupy(TestEngine site) throws InterruptedException {
        var busy = site.engine.create(new TaskEngine.Creation(ANN, "w", text("busy"), Payload.EMPTY, null, null));
        var task = ((TaskEngine.Created.New) busy).task();
        site.await(task, now -> now.state() == TaskState.WORKING);
        return task.id();
    }

    @Test
    void a_task_whose_answer_waits_for_a_slot_has_not_crashed_however_often_the_server_is_killed() throws Exception {
        var left = new CountDownLatch(1);
        var busy = new CountDownLatch(1);
        var single = single(busy, asking(left));
        var site = new TestEngine(single);
        var task = suspend(site, left);
        site.time.awaitAlarms(OF_ENGINE + 1);
        var other = occupy(site);
        answer(site, task, "q", "yes");
        for (int start = 2; start <= 4; start++) {
            int expected = start;
            site = site.crash(single);
            site.await(other, now -> now.execution().attempts().started() == expected);
        }
        busy.countDown();
        try (var last = site) {
            var ended = last.awaitEnd(task);
            assertThat(outcome(ended)).isEqualTo(result("yes"));
            assertThat(ended.execution().attempts().crashes()).isZero();
        }
    }

    /** Work that asks two questions at once, and opens a latch whenever an attempt is over. */
    private static Backend askingBoth(CountDownLatch left) {
        return run -> {
            try {
                var both = List.of(new Run.Question("a", "ask", text("?")), new Run.Question("b", "ask", text("?")));
                var answers = run.askAll(both, DEADLINE);
                return result(answers.get(0).text() + answers.get(1).text());
            } finally {
                left.countDown();
            }
        };
    }

    @Test
    void a_task_that_has_one_of_two_answers_is_suspended_too() throws Exception {
        var left = new CountDownLatch(1);
        try (var site = new TestEngine(suspended(askingBoth(left)))) {
            var task = site.awaitQuestion(site.create("w"));
            site.time.awaitAlarms(OF_ENGINE + 3);
            answer(site, task, "b", "2");
            site.time.advance(PATIENCE);
            left.await();
            answer(site, task, "a", "1");
            assertThat(outcome(site.awaitEnd(task))).isEqualTo(result("12"));
        }
    }

    @Test
    void a_task_that_has_one_of_two_answers_only_waits_however_often_the_server_is_killed() throws Exception {
        var work = work("w", CrashPolicy.RESTART, askingBoth(new CountDownLatch(1)));
        var site = new TestEngine(work);
        var task = site.awaitQuestion(site.create("w"));
        answer(site, task, "b", "2");
        for (int kill = 0; kill < 4; kill++) {
            site = site.crash(work);
        }
        try (var last = site) {
            answer(last, task, "a", "1");
            var ended = last.awaitEnd(task);
            assertThat(outcome(ended)).isEqualTo(result("12"));
            assertThat(ended.execution().attempts().started()).isEqualTo(2);
            assertThat(ended.execution().attempts().crashes()).isZero();
        }
    }

    @Test
    void a_question_runs_out_while_the_answer_to_another_one_waits_for_a_slot() throws Exception {
        var left = new CountDownLatch(1);
        var busy = new CountDownLatch(1);
        try (var site = new TestEngine(single(busy, askingBoth(left)))) {
            var task = site.awaitQuestion(site.create("w"));
            site.time.awaitAlarms(OF_ENGINE + 3);
            site.time.advance(PATIENCE);
            left.await();
            site.time.awaitAlarms(OF_ENGINE + 2);
            occupy(site);
            answer(site, task, "a", "yes");
            site.time.advance(DEADLINE);
            assertThat(outcome(site.awaitEnd(task))).isInstanceOf(Outcome.Failed.class);
            busy.countDown();
        }
    }

    @Test
    void an_attempt_that_passes_on_a_question_of_a_child_is_not_suspended() throws Exception {
        var attempts = new AtomicInteger();
        var parent = suspended(run -> {
            attempts.incrementAndGet();
            var child = run.call("c", () -> new Run.Call("child", text("{}"), text(""), DEADLINE));
            var ended = TestEngine.inBackground(child::await);
            return result(ask(run, "q") + outcome(ended.get()));
        });
        try (var site = new TestEngine(parent, work("child", run -> result(ask(run, "of child"))))) {
            var task = site.create("w");
            var asked = site.await(task, now -> now.outstanding().size() == 2);
            site.time.awaitAlarms(OF_ENGINE + 3);
            site.time.advance(PATIENCE);
            asked.outstanding().forEach(question -> answer(site, task, question.key(), "yes"));
            site.awaitEnd(task);
            assertThat(attempts).hasValue(1);
        }
    }

    @Test
    void a_server_that_starts_again_leaves_a_suspended_task_suspended() throws Exception {
        var left = new CountDownLatch(1);
        var first = new TestEngine(suspended(asking(left)));
        var task = suspend(first, left);
        try (var second = first.crash(suspended(asking(left)))) {
            second.time.awaitAlarms(2 * OF_ENGINE + 2);
            assertThat(second.find(task).execution().attempts().started()).isEqualTo(1);
            answer(second, task, "q", "yes");
            var ended = second.awaitEnd(task);
            assertThat(outcome(ended)).isEqualTo(result("yes"));
            assertThat(ended.execution().attempts().crashes()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(value = CrashPolicy.class, names = "RESTART", mode = EnumSource.Mode.EXCLUDE)
    void work_that_cannot_be_run_again_cannot_be_suspended(CrashPolicy policy) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Work("w", run -> result(""), policy, new Bounds(null, 1), PATIENCE, Retry.NEVER));
        assertThat(work("w", policy, run -> result("")).suspendAfter()).isNull();
    }
}
