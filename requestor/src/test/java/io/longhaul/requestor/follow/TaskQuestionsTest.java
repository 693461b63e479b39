package io.longhaul.requestor.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Answerer;
import io.longhaul.requestor.Answerer.Given;
import io.longhaul.requestor.FakeServer;
import io.longhaul.requestor.FakeServer.Response;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.question.ServerQuestions;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How often the questions that a task shows are answered. */
@Timeout(30)
class TaskQuestionsTest {

    private static final Answer.Question WHO = new Answer.Question("elicitation/create", Json.EMPTY_OBJECT);
    private static final Response TAKEN = Response.result("{\"resultType\":\"complete\"}");

    private final BlockingQueue<String> happened = new LinkedBlockingQueue<>();
    private final FakeServer server = FakeServer.of(Generation.V2026_07_28);
    private volatile Given given = new Given.Result(Json.raw("{\"action\":\"decline\"}"));

    private final class Answering implements Answerer {
        @Override
        public Capabilities capabilities() {
            return new Capabilities(true, false, false, false, false);
        }

        @Override
        public Given answer(Answer.Question question) {
            return given;
        }
    }

    private TaskQuestions questions() throws Exception {
        var settings = FakeServer.settings(new Answering()).only(Generation.V2026_07_28);
        return new TaskQuestions("t", Requestor.open(() -> server, settings), new TaskFollower.Events() {
            @Override
            public void seen(TaskView task) {}

            @Override
            public void trouble(String sentence) {
                happened.add(sentence);
            }
        });
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
        questions.take(Map.of(key, WHO));
        assertThat(next()).isEqualTo("answered");
        assertThat(next()).isEqualTo("The server did not take the answer: not that");
    }

    @Test
    void a_question_that_is_shown_again_and_again_is_answered_once() throws Exception {
        answersOnce(TAKEN);
        try (var questions = questions()) {
            questions.take(Map.of("name", WHO));
            assertThat(next()).isEqualTo("answered");
            questions.take(Map.of("name", WHO));
            questions.take(Map.of("place", WHO));
            assertThat(next()).isEqualTo("answered");
            assertThat(happened).isEmpty();
            assertThat(questions.tooMany()).isEmpty();
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
            questions.take(Map.of("name", WHO));
            for (var others = 0; others < 20; others++) {
                assertRefused(questions, "other " + others);
            }
        }
        assertThat(server.messages("tasks/update"))
                .filteredOn(message -> message.contains("\"name\":"))
                .hasSize(3);
    }

    @Test
    void a_question_that_is_not_answered_here_is_told_and_nothing_sent() throws Exception {
        given = new Given.Cannot(new RpcError(-32601, "no form"));
        try (var questions = questions()) {
            questions.take(Map.of("name", WHO));
            assertThat(next()).contains("not answered here (no form)");
        }
        assertThat(server.count("tasks/update")).isZero();
    }

    @Test
    void a_task_that_asks_more_than_it_may_is_followed_no_further() throws Exception {
        server.on("tasks/update", TAKEN);
        try (var questions = questions()) {
            for (var i = 0; i < ServerQuestions.PER_TASK; i++) {
                questions.take(Map.of("key " + i, WHO));
            }
            assertThat(questions.tooMany()).isEmpty();
            questions.take(Map.of("one more", WHO));
            assertThat(questions.tooMany())
                    .contains(new FollowEnd.OutOfReach("The task asks more than 100 questions."));
        }
    }
}
