// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.attempt;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run.Question;
import io.longhaul.engine.run.StaleRunException;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class QuestionsTest {

    private static final Backend TWICE = run -> {
        var first = run.ask(null, "ask", text("same"), null);
        var second = run.ask(null, "ask", text("same"), null);
        return result(first.text() + second.text());
    };

    private static void answer(TestEngine site, Task task, String text) throws Exception {
        var key = site.awaitQuestion(task).outstanding().getFirst().key();
        site.engine.answer(ANN, task.id(), Map.of(key, text(text)));
    }

    @Test
    void the_same_question_asked_twice_has_two_keys() throws Exception {
        try (var site = new TestEngine(work("w", TWICE))) {
            var task = site.create("w");
            answer(site, task, "a");
            answer(site, task, "b");
            var ended = site.awaitEnd(task);
            assertThat(outcome(ended)).isEqualTo(result("ab"));
            assertThat(ended.status().inputs())
                    .extracting(InputRequest::key)
                    .doesNotHaveDuplicates()
                    .hasSize(2);
        }
    }

    @Test
    void a_wanted_key_that_is_taken_gets_a_number() throws Exception {
        try (var site = new TestEngine(work("w", run -> {
            run.ask("name", "ask", text("1"), null);
            run.ask("name", "ask", text("2"), null);
            return result("");
        }))) {
            var task = site.create("w");
            answer(site, task, "a");
            answer(site, task, "b");
            assertThat(site.awaitEnd(task).status().inputs())
                    .extracting(InputRequest::key)
                    .containsExactly("name", "name-2");
        }
    }

    @Test
    void several_questions_are_outstanding_at_once_and_unknown_keys_are_ignored() throws Exception {
        try (var site = new TestEngine(work("w", run -> {
            var answers =
                    run.askAll(List.of(new Question("a", "ask", text("?")), new Question("b", "ask", text("?"))), null);
            return result(answers.get(0).text() + answers.get(1).text());
        }))) {
            var task = site.create("w");
            site.awaitQuestion(task);
            site.engine.answer(ANN, task.id(), Map.of("b", text("2"), "z", text("9")));
            assertThat(site.find(task).state()).isEqualTo(TaskState.INPUT_REQUIRED);
            site.engine.answer(ANN, task.id(), Map.of("b", text("7"), "a", text("1")));
            assertThat(outcome(site.awaitEnd(task))).isEqualTo(result("12"));
        }
    }

    @Test
    void work_whose_task_is_cancelled_while_it_asks_knows_that_it_is_stopped() throws Exception {
        var toldAtOnce = new ConcurrentLinkedQueue<Boolean>();
        try (var site = new TestEngine(work("w", run -> {
            try {
                run.ask("q", "ask", text("?"), null);
                return result("");
            } catch (StaleRunException | InterruptedException e) {
                toldAtOnce.add(run.isStopping());
                throw e;
            }
        }))) {
            for (int i = 0; i < 100; i++) {
                var task = site.awaitQuestion(site.create("w"));
                site.engine.cancel(ANN, task.id(), "enough");
                site.awaitStopped(task);
            }
        }
        assertThat(toldAtOnce).hasSize(100).containsOnly(true);
    }

    @Test
    void a_question_without_an_answer_fails_the_task_at_its_deadline() throws Exception {
        try (var site = new TestEngine(work("w", run -> {
            run.ask("q", "ask", text("?"), Duration.ofMinutes(5));
            return result("never");
        }))) {
            var task = site.create("w");
            var question = site.awaitQuestion(task).outstanding().getFirst();
            assertThat(question.deadline()).isEqualTo(question.askedAt().plus(Duration.ofMinutes(5)));
            site.time.awaitAlarms(2);
            site.time.advance(Duration.ofMinutes(5));
            assertThat(outcome(site.awaitStopped(task)))
                    .isInstanceOfSatisfying(
                            Outcome.Failed.class,
                            failed -> assertThat(failed.reason()).isEqualTo(FailureReason.UNANSWERED));
        }
    }

    @Test
    void a_question_beyond_the_limit_ends_the_task_with_a_clear_error() throws Exception {
        var limits = TaskLimits.builder().inputsPerTask(1).build();
        try (var site = new TestEngine(new FakeTime(), new MemoryTaskStore(), limits, work("w", TWICE))) {
            var task = site.create("w");
            answer(site, task, "a");
            assertThat(outcome(site.awaitEnd(task)))
                    .isEqualTo(new Outcome.Error(-32603, "The task has asked 1 questions and may ask no more.", null));
        }
    }

    @Test
    void a_restarted_run_gets_the_answer_that_was_recorded_before_the_crash() throws Exception {
        var first = new TestEngine(work("w", CrashPolicy.RESTART, TWICE));
        var task = first.create("w");
        answer(first, task, "a");
        first.await(task, now -> now.status().inputs().size() == 2);
        try (var second = first.crash(work("w", CrashPolicy.RESTART, TWICE))) {
            answer(second, task, "b");
            var ended = second.awaitEnd(task);
            assertThat(outcome(ended)).isEqualTo(result("ab"));
            assertThat(ended.status().inputs()).hasSize(2);
            assertThat(ended.execution().attempts().crashes()).isZero();
        }
    }

    @Test
    void a_task_that_waits_is_not_run_again_before_its_answer_comes() throws Exception {
        var runs = new AtomicInteger();
        Backend counted = run -> {
            runs.incrementAndGet();
            return TWICE.run(run);
        };
        var first = new TestEngine(work("w", CrashPolicy.RESTART, counted));
        var task = first.create("w");
        first.awaitQuestion(task);
        var second = first.crash(work("w", CrashPolicy.RESTART, counted));
        try (var third = second.crash(work("w", CrashPolicy.RESTART, counted))) {
            third.time.awaitAlarms(1);
            assertThat(third.find(task).execution().attempts().started()).isEqualTo(1);
            answer(third, task, "a");
            answer(third, task, "b");
            assertThat(outcome(third.awaitEnd(task))).isEqualTo(result("ab"));
            assertThat(runs).hasValue(2);
        }
    }

    @Test
    void a_question_that_is_open_over_a_restart_fails_its_task_at_its_deadline() throws Exception {
        Backend asks = run -> new Outcome.Result(run.ask("q", "ask", text("?"), Duration.ofMinutes(5)), false);
        var first = new TestEngine(work("w", CrashPolicy.RESTART, asks));
        var task = first.create("w");
        first.awaitQuestion(task);
        first.time.awaitAlarms(2);
        try (var next = first.crash(work("w", CrashPolicy.RESTART, asks))) {
            next.time.awaitAlarms(4);
            next.time.advance(Duration.ofMinutes(5));
            var ended = next.awaitStopped(task);
            assertThat(outcome(ended))
                    .isInstanceOfSatisfying(
                            Outcome.Failed.class,
                            failed -> assertThat(failed.reason()).isEqualTo(FailureReason.UNANSWERED));
            assertThat(ended.execution().attempts().started()).isEqualTo(1);
        }
    }

    @Test
    void a_restarted_run_that_asks_something_else_gets_a_fresh_key() throws Exception {
        var first = new TestEngine(work("w", CrashPolicy.RESTART, run -> {
            run.ask(null, "ask", text("old"), null);
            throw new AssertionError("is never answered in this process");
        }));
        var task = first.create("w");
        var old = first.awaitQuestion(task).outstanding().getFirst();
        try (var second = first.crash(work(
                "w", CrashPolicy.RESTART, run -> new Outcome.Result(run.ask(null, "ask", text("new"), null), false)))) {
            second.engine.answer(ANN, task.id(), Map.of(old.key(), text("to the old one")));
            var fresh = second.await(task, now -> now.status().inputs().size() == 2)
                    .outstanding()
                    .getFirst();
            assertThat(fresh.key()).isNotEqualTo(old.key());
            second.engine.answer(ANN, task.id(), Map.of(fresh.key(), text("to the new one")));
            assertThat(outcome(second.awaitEnd(task))).isEqualTo(result("to the new one"));
        }
    }

    @Test
    void a_stop_writes_nothing_for_a_task_that_only_waits_and_leaves_it_waiting() throws Exception {
        var first = new TestEngine(work("w", CrashPolicy.RESTART, TWICE));
        var task = first.create("w");
        var waiting = first.awaitQuestion(task);
        first.close();
        assertThat(first.store.find(task.id())).contains(waiting);
        try (var second = first.crash(work("w", CrashPolicy.RESTART, TWICE))) {
            answer(second, task, "a");
            answer(second, task, "b");
            var ended = second.awaitEnd(task);
            assertThat(outcome(ended)).isEqualTo(result("ab"));
            assertThat(ended.execution().attempts().crashes()).isZero();
        }
    }
}
