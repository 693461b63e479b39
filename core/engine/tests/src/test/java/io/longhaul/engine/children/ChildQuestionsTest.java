// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.children;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static io.longhaul.engine.TestEngine.work;
import static io.longhaul.engine.children.ChildCalls.call;
import static io.longhaul.engine.children.ChildCalls.calling;
import static io.longhaul.engine.children.ChildCalls.child;
import static io.longhaul.engine.children.ChildCalls.children;
import static io.longhaul.engine.children.ChildCalls.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.FaultyTaskStore.Fault;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What children ask is asked by their parents. */
@Timeout(60)
class ChildQuestionsTest {

    private static final Backend ASKS =
            run -> new Outcome.Result(run.ask("q", "ask", text("?"), Duration.ofMinutes(5)), false);

    private static InputRequest passedOn(TestEngine site, Task parent) throws InterruptedException {
        return site.awaitQuestion(parent).outstanding().getFirst();
    }

    private static void answer(TestEngine site, Task task, String key, String text) {
        site.engine.answer(ANN, task.id(), Map.of(key, text(text)));
    }

    private static String body(Task child) {
        return outcome(child) instanceof Outcome.Result(Payload body, boolean isError) ? body.text() : "";
    }

    @Test
    void the_question_of_a_child_is_asked_by_its_parents_and_the_answer_goes_down() throws Exception {
        try (var site = new TestEngine(work("p", calling("m")), work("m", calling("c")), work("c", ASKS))) {
            var parent = site.create("p");
            var asked = passedOn(site, parent);
            var middle = child(site, parent);
            var leaf = child(site, middle);
            assertThat(asked.key()).isEqualTo(middle.id() + "/" + leaf.id() + "/q");
            assertThat(asked.method()).isEqualTo("ask");
            assertThat(asked.params()).isEqualTo(text("?"));
            assertThat(site.find(parent).state()).isEqualTo(TaskState.INPUT_REQUIRED);
            answer(site, parent, asked.key(), "yes");
            assertThat(outcome(site.awaitEnd(parent))).isEqualTo(result("yes"));
            assertThat(site.find(leaf).status().inputs())
                    .singleElement()
                    .extracting(InputRequest::answer)
                    .isEqualTo(text("yes"));
        }
    }

    @Test
    void questions_of_several_children_are_told_apart() throws Exception {
        try (var site = new TestEngine(
                work("p", run -> {
                    var one = run.call("one", call("c", "1"));
                    var two = run.call("two", call("c", "2"));
                    var first = TestEngine.inBackground(one::await);
                    return result(body(two.await()) + body(first.get()));
                }),
                work("c", ASKS))) {
            var parent = site.create("p");
            site.await(parent, now -> now.outstanding().size() == 2);
            for (var child : children(site, parent)) {
                answer(site, parent, child.id() + "/q", request(child));
            }
            assertThat(outcome(site.awaitEnd(parent))).isEqualTo(result("21"));
        }
    }

    @Test
    void the_question_of_a_child_outlives_a_restart_and_is_no_other_one() throws Exception {
        var works = new Work[] {work("p", CrashPolicy.RESTART, calling("c")), work("c", CrashPolicy.RESTART, ASKS)};
        var first = new TestEngine(works);
        var parent = first.create("p");
        var asked = passedOn(first, parent);
        var second = first.crash(works);
        second.await(parent, now -> now.execution().attempts().started() == 2);
        assertThat(passedOn(second, parent)).isEqualTo(asked);
        answer(second, parent, asked.key(), "yes");
        try (var third = second.crash(works)) {
            assertThat(outcome(third.awaitEnd(parent))).isEqualTo(result("yes"));
            assertThat(third.find(parent).status().inputs()).hasSize(1);
        }
    }

    @Test
    void a_question_that_is_answered_at_the_child_is_open_at_the_parent_no_more_also_after_a_restart()
            throws Exception {
        var go = new CountDownLatch(1);
        Backend asks = run -> {
            var answer = run.ask("q", "ask", text("?"), null);
            go.await();
            return new Outcome.Result(answer, false);
        };
        var works = new Work[] {work("p", CrashPolicy.RESTART, calling("c")), work("c", CrashPolicy.RESTART, asks)};
        var first = new TestEngine(works);
        var parent = first.create("p");
        passedOn(first, parent);
        try (var second = first.crash(works)) {
            answer(second, child(second, parent), "q", "directly");
            var now = second.await(parent, task -> task.outstanding().isEmpty());
            assertThat(now.state()).isEqualTo(TaskState.WORKING);
            assertThat(now.status().inputs())
                    .singleElement()
                    .extracting(InputRequest::answer)
                    .isEqualTo(text("directly"));
            go.countDown();
            assertThat(outcome(second.awaitEnd(parent))).isEqualTo(result("directly"));
        }
    }

    @Test
    void a_child_that_is_left_unanswered_fails_and_its_parent_goes_on() throws Exception {
        try (var site = new TestEngine(
                work(
                        "p",
                        run -> result(
                                run.call("c", call("c", "")).await().state().name())),
                work("c", ASKS))) {
            var parent = site.create("p");
            passedOn(site, parent);
            site.time.awaitAlarms(2);
            site.time.advance(Duration.ofMinutes(5));
            var ended = site.awaitEnd(parent);
            assertThat(outcome(ended)).isEqualTo(result("FAILED"));
            assertThat(ended.status().inputs()).noneMatch(InputRequest::isOutstanding);
        }
    }

    @Test
    void questions_of_children_count_as_those_of_the_parent_and_are_none_that_it_asks_itself() throws Exception {
        var limits = TaskLimits.builder().inputsPerTask(1).build();
        Backend calls = run -> {
            run.call("one", call("c", "")).await();
            return outcome(run.call("two", call("c", "")).await());
        };
        var works = new Work[] {work("p", calls), work("c", ASKS)};
        try (var site = new TestEngine(new FakeTime(), new MemoryTaskStore(), limits, works)) {
            var parent = site.create("p");
            answer(site, parent, passedOn(site, parent).key(), "yes");
            assertThat(outcome(site.awaitEnd(parent)))
                    .isEqualTo(new Outcome.Error(-32603, "The task has asked 1 questions and may ask no more.", null));
        }
    }

    @Test
    void a_question_that_was_passed_on_though_its_write_failed_is_withdrawn() throws Exception {
        var asked = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        var never = new CountDownLatch(1);
        var store = new MemoryTaskStore();
        var unsure = new FaultyTaskStore(store, change -> {
            boolean isPassedOn = change.after().outstanding().stream().anyMatch(InputRequest::isOfChild);
            if (isPassedOn) {
                asked.countDown();
            }
            return isPassedOn ? Fault.FAIL_AFTER : Fault.NONE;
        });
        Backend calls = run -> {
            run.call("c", call("c", "")).await();
            ended.countDown();
            never.await();
            return result("");
        };
        var works = new Work[] {work("p", calls), work("c", ASKS)};
        try (var site = new TestEngine(new FakeTime(), store, unsure, TestEngine.LIMITS, works)) {
            var parent = site.create("p");
            asked.await();
            answer(site, child(site, parent), "q", "yes");
            ended.await();
            assertThat(site.find(parent).status().inputs())
                    .allMatch(question -> question.answer() != null)
                    .hasSize(1);
        }
    }

    @Test
    void a_stopped_server_hands_a_parent_with_the_question_of_a_child_to_the_next_one() throws Exception {
        var works = new Work[] {work("p", CrashPolicy.RESTART, calling("c")), work("c", CrashPolicy.RESTART, ASKS)};
        var first = new TestEngine(works);
        var parent = first.create("p");
        var asked = passedOn(first, parent);
        first.close();
        try (var second = first.crash(works)) {
            answer(second, parent, asked.key(), "yes");
            var ended = second.awaitEnd(parent);
            assertThat(outcome(ended)).isEqualTo(result("yes"));
            assertThat(ended.execution().attempts().crashes()).isZero();
        }
    }

    @Test
    void the_question_of_a_child_is_not_taken_for_the_same_words_of_its_parent_after_a_restart() throws Exception {
        Backend asks = run -> {
            run.call("c", call("c", "")).await();
            return new Outcome.Result(run.ask(null, "ask", text("?"), null), false);
        };
        var works = new Work[] {work("p", CrashPolicy.RESTART, asks), work("c", ASKS)};
        var first = new TestEngine(works);
        var parent = first.create("p");
        answer(first, parent, passedOn(first, parent).key(), "for the child");
        var own = first.await(parent, now -> now.status().inputs().size() == 2).outstanding();
        try (var second = first.crash(works)) {
            answer(second, parent, own.getFirst().key(), "for the parent");
            assertThat(outcome(second.awaitEnd(parent))).isEqualTo(result("for the parent"));
        }
    }
}
