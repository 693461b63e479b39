// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Answerer.Given;
import io.longhaul.requestor.FakeServer;
import io.longhaul.requestor.FakeServer.Response;
import io.longhaul.requestor.FormAnswers;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.question.ServerQuestions;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How often the questions that a task shows are answered. */
@Timeout(30)
class TaskQuestionsTest {

    private static final CallResponse.Question WHO = new CallResponse.Question("elicitation/create", Json.EMPTY_OBJECT);
    private static final CallResponse.Question WHERE = question("{\"message\":\"Where?\"}");
    private static final Given CANCELS = new Given.Result(Json.raw("{\"action\":\"cancel\"}"));
    private static final Given DECLINED = new Given.Result(Json.raw("{\"action\":\"decline\"}"));
    private static final Response TAKEN = Response.result("{\"resultType\":\"complete\"}");

    private final BlockingQueue<String> happened = new LinkedBlockingQueue<>();
    private final FakeServer server = FakeServer.of(Generation.V2026_07_28);
    private Instant moment = Instant.EPOCH;
    private volatile FormAnswers answering = question -> DECLINED;

    private TaskQuestions questions() throws Exception {
        FormAnswers answers = question -> answering.answer(question);
        var settings = FakeServer.settings(answers).only(Generation.V2026_07_28);
        TaskFollower.Events events = new TaskFollower.Events() {
            @Override
            public void seen(TaskView task) {}

            @Override
            public void trouble(String sentence) {
                happened.add(sentence);
            }
        };
        return new TaskQuestions("t", Requestor.open(() -> server, settings), events, end -> happened.add(end + ""));
    }

    /** A task that asks this now; each task is newer than the one before. */
    private TaskView asking(Map<String, CallResponse.Question> outstanding) {
        moment = moment.plusSeconds(1);
        return new TaskView(
                "t",
                new TaskView.Status(TaskView.State.INPUT_REQUIRED, null, null),
                new TaskView.Times(moment, moment, null, null),
                Duration.ZERO,
                outstanding,
                null);
    }

    private void answersOnce(Response response) {
        server.on("tasks/update", () -> {
            happened.add("answered");
            return response;
        });
    }

    private String next() throws InterruptedException {
        return String.valueOf(happened.poll(20, TimeUnit.SECONDS));
    }

    private void assertRefused(TaskQuestions questions, String key) throws InterruptedException {
        questions.take(asking(Map.of(key, WHO)));
        assertThat(next()).isEqualTo("answered");
        assertThat(next()).isEqualTo("The server did not take the answer: not that");
    }

    @Test
    void a_question_that_is_shown_again_and_again_is_answered_once() throws Exception {
        answersOnce(TAKEN);
        try (var questions = questions()) {
            questions.take(asking(Map.of("name", WHO)));
            assertThat(next()).isEqualTo("answered");
            questions.take(asking(Map.of("name", WHO)));
            questions.take(asking(Map.of("place", WHO)));
            assertThat(next()).isEqualTo("answered");
            assertThat(happened).isEmpty();
        }
        assertThat(server.messages("tasks/update"))
                .satisfiesExactly(
                        first -> assertThat(first).contains("\"name\":{\"action\":\"decline\"}"),
                        second -> assertThat(second).contains("\"place\""));
    }

    @Test
    void a_question_whose_answer_was_refused_is_answered_again_three_times_at_the_most() throws Exception {
        answersOnce(Response.error(-32602, "not that"));
        try (var questions = questions()) {
            for (var times = 0; times < 3; times++) {
                assertRefused(questions, "name");
            }
            assertThat(next())
                    .isEqualTo("Unanswered[reason=The task waits for an answer, and the server has taken none of 3: "
                            + "not that]");
            questions.take(asking(Map.of("name", WHO)));
            for (var others = 0; others < 20; others++) {
                assertRefused(questions, "other " + others);
            }
        }
        assertThat(server.messages("tasks/update"))
                .filteredOn(message -> message.contains("\"name\":"))
                .hasSize(3);
    }

    /** Has the user decline, the server respond so to the first answer, and take the next one. */
    private void answersMeet(Response first) {
        var responses = new ConcurrentLinkedQueue<>(List.of(first, TAKEN));
        server.on("tasks/update", () -> {
            happened.add("answered");
            return responses.remove();
        });
        answering = question -> {
            happened.add("asked");
            return DECLINED;
        };
    }

    @Test
    void a_server_that_fails_is_given_the_same_answer_again_and_the_user_is_not_asked_again() throws Exception {
        answersMeet(Response.error(RpcError.INTERNAL_ERROR, "no disk"));
        try (var questions = questions()) {
            questions.take(asking(Map.of("name", WHO)));
            assertThat(List.of(next(), next(), next(), next()))
                    .containsExactly(
                            "asked", "answered", "The server has not taken the answer yet: no disk", "answered");
        }
        assertThat(server.messages("tasks/update")).hasSize(2).allMatch(message -> message.contains("decline"));
    }

    private TaskQuestions questionsWithAnUndeliveredAnswer() throws Exception {
        answersMeet(Response.status(401));
        var questions = questions();
        questions.take(asking(Map.of("name", WHO)));
        assertThat(List.of(next(), next())).containsExactly("asked", "answered");
        assertThat(next()).startsWith("The answer may not have arrived: ").contains("HTTP 401");
        return questions;
    }

    @Test
    void an_answer_that_may_not_have_arrived_is_given_again_while_the_question_is_shown() throws Exception {
        try (var questions = questionsWithAnUndeliveredAnswer()) {
            questions.take(asking(Map.of("name", WHO)));
            assertThat(next()).isEqualTo("answered");
        }
        assertThat(server.messages("tasks/update")).hasSize(2).allMatch(message -> message.contains("decline"));
    }

    @Test
    void an_answer_that_may_not_have_arrived_is_not_given_to_a_question_that_comes_back() throws Exception {
        try (var questions = questionsWithAnUndeliveredAnswer()) {
            questions.take(asking(Map.of()));
            questions.take(asking(Map.of("name", WHO)));
            assertThat(List.of(next(), next())).containsExactly("asked", "answered");
        }
    }

    private static CallResponse.Question question(String params) {
        return new CallResponse.Question("elicitation/create", Json.raw(params));
    }

    @Test
    void an_answer_that_may_not_have_arrived_is_not_given_to_another_question_under_its_key() throws Exception {
        try (var questions = questionsWithAnUndeliveredAnswer()) {
            answering = question -> new Given.Result(Json.raw("{\"action\":\"cancel\"}"));
            questions.take(asking(Map.of("name", question("{\"message\":\"Where?\"}"))));
            assertThat(next()).isEqualTo("answered");
        }
        assertThat(server.messages("tasks/update"))
                .satisfiesExactly(
                        who -> assertThat(who).contains("decline"),
                        where -> assertThat(where).contains("cancel"));
    }

    @Test
    void another_question_under_the_key_of_an_answered_one_is_answered_and_the_same_one_is_not() throws Exception {
        answersOnce(TAKEN);
        try (var questions = questions()) {
            questions.take(asking(Map.of("name", question("{\"message\":\"Who?\",\"n\":1,\"_meta\":{\"a\":1}}"))));
            assertThat(next()).isEqualTo("answered");
            questions.take(asking(Map.of("name", question("{\"n\":1, \"message\":\"Who?\",\"_meta\":{\"a\":2}}"))));
            questions.take(asking(Map.of("name", question("{\"message\":\"Where?\"}"))));
            assertThat(next()).isEqualTo("answered");
            assertThat(happened).isEmpty();
        }
        assertThat(server.messages("tasks/update")).hasSize(2);
    }

    private void awaitAnswered() throws InterruptedException {
        for (var what = next(); !what.equals("answered"); what = next()) {
            assertThat(what).doesNotContain("Unanswered").isNotEqualTo("null");
        }
    }

    @Test
    void an_answer_that_is_being_repeated_is_not_given_to_another_question_under_its_key() throws Exception {
        answering = question -> question.equals(WHO) ? DECLINED : CANCELS;
        var first = new AtomicBoolean(true);
        try (var questions = questions()) {
            server.on("tasks/update", () -> {
                if (first.getAndSet(false)) {
                    questions.take(asking(Map.of("name", WHERE)));
                    return Response.error(RpcError.INTERNAL_ERROR, "no disk");
                }
                happened.add("answered");
                return TAKEN;
            });
            questions.take(asking(Map.of("name", WHO)));
            awaitAnswered();
            questions.take(asking(Map.of("place", WHO)));
            awaitAnswered();
        }
        assertThat(server.messages("tasks/update"))
                .satisfiesExactly(
                        who -> assertThat(who).contains("decline"),
                        where -> assertThat(where).contains("cancel"),
                        place -> assertThat(place).contains("\"place\""));
    }

    @Test
    void a_view_of_the_same_time_that_shows_the_question_before_is_an_older_view() throws Exception {
        answersOnce(TAKEN);
        try (var questions = questions()) {
            var older = asking(Map.of("name", WHO));
            questions.take(older);
            awaitAnswered();
            questions.take(sameTime(Map.of("name", WHERE)));
            awaitAnswered();
            questions.take(older);
            questions.take(sameTime(Map.of("place", WHO)));
            awaitAnswered();
        }
        assertThat(server.messages("tasks/update")).hasSize(3).last().asString().contains("\"place\"");
    }

    private TaskView sameTime(Map<String, CallResponse.Question> outstanding) {
        moment = moment.minusSeconds(1);
        return asking(outstanding);
    }

    @Test
    void a_question_in_whose_place_another_one_is_shown_is_taken_back() throws Exception {
        answersOnce(TAKEN);
        answering = question -> {
            happened.add(question.params().toString());
            if (question.equals(WHO)) {
                new CountDownLatch(1).await();
            }
            return DECLINED;
        };
        try (var questions = questions()) {
            questions.take(asking(Map.of("name", WHO)));
            assertThat(next()).isEqualTo("{}");
            questions.take(asking(Map.of("name", question("{\"message\":\"Where?\"}"))));
            assertThat(next()).contains("Where?");
            assertThat(next()).isEqualTo("answered");
        }
        assertThat(server.messages("tasks/update")).hasSize(1);
    }

    @Test
    void a_question_that_cannot_be_answered_here_ends_the_following_and_nothing_is_sent() throws Exception {
        answering = question -> new Given.Cannot(new RpcError(-32601, "There are no forms here."));
        try (var questions = questions()) {
            questions.take(asking(Map.of("name", WHO)));
            assertThat(next()).contains("Unanswered", "cannot give: There are no forms here. Attach to it");
        }
        assertThat(server.count("tasks/update")).isZero();
    }

    @Test
    void the_other_questions_are_answered_before_the_following_ends_for_one_that_cannot_be() throws Exception {
        answersOnce(TAKEN);
        var cannot = new Given.Cannot(new RpcError(-32601, "There are no forms here."));
        answering = question -> question.equals(WHO) ? cannot : DECLINED;
        var outstanding = new LinkedHashMap<String, CallResponse.Question>();
        outstanding.put("name", WHO);
        outstanding.put("place", new CallResponse.Question("roots/list", Json.EMPTY_OBJECT));
        try (var questions = questions()) {
            questions.take(asking(outstanding));
            assertThat(next()).isEqualTo("answered");
            assertThat(next()).contains("Unanswered", "There are no forms here.");
        }
    }

    @Test
    void a_handler_that_fails_ends_the_following_without_a_word_of_its_failure() throws Exception {
        answering = question -> {
            throw new IllegalStateException("secret");
        };
        try (var questions = questions()) {
            questions.take(asking(Map.of("name", WHO)));
            assertThat(next()).contains("Unanswered", "its log says more").doesNotContain("secret");
        }
    }

    @Test
    void questions_are_answered_one_at_a_time_and_in_the_order_in_which_they_were_asked() throws Exception {
        server.on("tasks/update", TAKEN);
        var let = new SynchronousQueue<String>();
        answering = question -> {
            happened.add("asked " + question.method());
            let.take();
            return DECLINED;
        };
        try (var questions = questions()) {
            var outstanding = new LinkedHashMap<String, CallResponse.Question>();
            for (var method : List.of("z", "a", "m")) {
                outstanding.put("key of " + method, new CallResponse.Question(method, Json.EMPTY_OBJECT));
            }
            questions.take(asking(outstanding));
            for (var method : List.of("z", "a", "m")) {
                assertThat(next()).isEqualTo("asked " + method);
                assertThat(happened).isEmpty();
                let.put("go on");
            }
        }
    }

    @Test
    void a_question_that_is_shown_no_more_is_withdrawn_from_whoever_answers_it_and_the_next_one_is_asked()
            throws Exception {
        answersOnce(TAKEN);
        answering = question -> {
            happened.add("asked");
            if (!question.equals(WHO)) {
                return DECLINED;
            }
            try {
                new CountDownLatch(1).await();
                return DECLINED;
            } finally {
                happened.add("withdrawn");
            }
        };
        var where =
                Map.of("place", new CallResponse.Question("elicitation/create", Json.raw("{\"message\":\"Where?\"}")));
        try (var questions = questions()) {
            questions.take(asking(Map.of("name", WHO)));
            assertThat(next()).isEqualTo("asked");
            questions.take(asking(where));
            assertThat(List.of(next(), next(), next())).containsExactly("withdrawn", "asked", "answered");
        }
        assertThat(server.messages("tasks/update")).singleElement().asString().contains("\"place\"");
    }

    @Test
    void a_view_of_the_same_moment_withdraws_nothing() throws Exception {
        answersOnce(TAKEN);
        var let = new SynchronousQueue<String>();
        answering = question -> {
            let.take();
            return DECLINED;
        };
        try (var questions = questions()) {
            questions.take(asking(Map.of("name", WHO)));
            moment = moment.minusSeconds(1);
            questions.take(asking(Map.of()));
            let.put("go on");
            assertThat(next()).isEqualTo("answered");
        }
    }

    @Test
    void a_view_that_is_older_than_one_before_asks_nothing() throws Exception {
        server.on("tasks/update", TAKEN);
        answering = question -> {
            happened.add("asked " + question.method());
            return DECLINED;
        };
        try (var questions = questions()) {
            var older = asking(Map.of("name", WHO));
            questions.take(asking(Map.of()));
            questions.take(older);
            questions.take(asking(Map.of("place", new CallResponse.Question("roots/list", Json.EMPTY_OBJECT))));
            assertThat(next()).isEqualTo("asked roots/list");
        }
    }

    @Test
    void a_task_that_asks_more_than_it_may_is_followed_no_further() throws Exception {
        server.on("tasks/update", TAKEN);
        try (var questions = questions()) {
            for (var i = 0; i < ServerQuestions.PER_TASK; i++) {
                questions.take(asking(Map.of("key " + i, WHO)));
            }
            assertThat(happened).isEmpty();
            questions.take(asking(Map.of("one more", WHO)));
            assertThat(next()).isEqualTo("OutOfReach[reason=The task asks more than 100 questions.]");
        }
    }
}
