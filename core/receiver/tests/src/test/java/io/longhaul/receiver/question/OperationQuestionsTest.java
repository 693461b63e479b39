// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryReply;
import io.longhaul.receiver.ext.tasks1686.RequestorTasksTest;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Questions of operations (SEP-1391) that a status request brings, where no stream does. */
@Timeout(60)
class OperationQuestionsTest {

    private static final String ANSWER =
            "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"},\"_operation\":{\"token\":\"op-1\"}}";

    private static final String PARTS = "{\"elicitation\":{},\"experimental\":{\"resumeTokens\":{}}}";

    private final FakeTime time = new FakeTime();

    @AutoClose
    private final Served served = Served.with(time, Tools.asks());

    private final Served.Handshake client = served.handshake("next");

    private static void start(Served.Handshake client) {
        start(client, "op-1");
    }

    private static void start(Served.Handshake client, String token) {
        String operation = "\"operation\":{\"token\":\"" + token + "\"}";
        client.ask("tools/call", Served.and(Served.call("asks", "{}"), operation));
    }

    private static MemoryReply look(Served.Handshake client) {
        return look(client, "op-1");
    }

    private static MemoryReply look(Served.Handshake client, String token) {
        return client.send("tools/async/status", "{\"token\":\"" + token + "\"}");
    }

    /** Looks until the operation has asked, and gives the messages of that look. */
    private static List<JsonNode> lookAtQuestion(Served.Handshake client) {
        while (true) {
            var said = messages(look(client));
            if (status(said).equals("input_required")) {
                return said;
            }
        }
    }

    private static List<JsonNode> messages(MemoryReply reply) {
        return reply.messages().stream().map(Served::json).toList();
    }

    private static String status(List<JsonNode> said) {
        return said.getLast().at("/result/status").asString("");
    }

    /** The question among the messages of a look, which come before the status. */
    private static JsonNode question(List<JsonNode> said) {
        assertThat(said).hasSize(2);
        assertThat(said.getFirst().path("method").asString()).isEqualTo("elicitation/create");
        assertThat(said.getFirst().at("/params/_operation/token").asString()).isEqualTo("op-1");
        return said.getFirst();
    }

    private static void assertQuiet(List<JsonNode> said) {
        assertThat(said).as("the status alone").hasSize(1);
    }

    @Test
    void a_status_request_brings_the_question_that_no_stream_has_brought_and_its_answer_ends_the_operation() {
        start(client);
        var question = question(lookAtQuestion(client));
        assertThat(client.answer(question, ANSWER).status()).isEqualTo(202);
        String status = "";
        while (!status.equals("completed")) {
            var said = messages(look(client));
            assertQuiet(said);
            status = status(said);
        }
    }

    @Test
    void a_status_request_brings_the_question_again_under_its_id_when_its_stream_is_lost_and_not_before() {
        var side = client.get();
        start(client);
        var question = Served.question(side);
        assertQuiet(lookAtQuestion(client));
        side.leave();
        assertThat(question(messages(look(client))).path("id")).isEqualTo(question.path("id"));
    }

    @Test
    void a_question_that_a_status_request_has_brought_goes_out_on_the_next_stream_under_its_id() {
        start(client);
        var question = question(lookAtQuestion(client));
        var side = client.get();
        assertThat(Served.question(side).path("id")).isEqualTo(question.path("id"));
        assertQuiet(messages(look(client)));
    }

    @Test
    void a_question_that_was_answered_after_a_status_request_is_not_put_again_on_the_stream_that_had_brought_it() {
        var asks = Tool.define("asks").longRunning().handler((arguments, task) -> {
            task.log("info", "before");
            return Tools.askName(task);
        });
        try (var served = Served.with(time, asks)) {
            var client = served.handshake("next");
            var side = client.get();
            start(client);
            String before = side.nextContaining("before").id();
            Served.question(side);
            side.leave();
            client.answer(question(messages(look(client))), ANSWER).status();
            while (!status(messages(look(client))).equals("completed")) {
                Thread.onSpinWait();
            }
            var resumed = client.resume(before);
            start(client, "op-2");
            assertThat(Served.question(resumed).at("/params/_operation/token").asString())
                    .isEqualTo("op-2");
        }
    }

    @Test
    void a_client_that_polls_is_not_asked_with_each_poll_and_asked_again_where_it_may_have_lost_the_answer() {
        start(client);
        question(lookAtQuestion(client));
        for (int poll = 0; poll < 50; poll++) {
            time.advance(Duration.ofSeconds(1));
            assertQuiet(messages(look(client)));
        }
        time.advance(Duration.ofSeconds(10));
        question(messages(look(client)));
        time.advance(Duration.ofSeconds(61));
        assertQuiet(messages(look(client)));
        time.advance(Duration.ofSeconds(61));
        question(messages(look(client)));
    }

    @Test
    void a_session_that_cannot_be_asked_gets_the_status_alone_and_leaves_the_question_to_one_that_can() {
        start(client);
        assertQuiet(lookAtQuestion(served.handshake("next", "{}")));
        question(lookAtQuestion(served.handshake("next")));
    }

    @Test
    void another_session_of_the_owner_is_asked_only_when_no_stream_of_the_first_one_lives() {
        var side = client.get();
        start(client);
        var question = Served.question(side);
        var later = served.handshake("next");
        assertQuiet(messages(look(later)));
        side.leave();
        var again = question(messages(look(later)));
        assertThat(again.path("id")).isEqualTo(question.path("id"));
        later.answer(again, ANSWER).status();
        while (!status(messages(look(later))).equals("completed")) {
            Thread.onSpinWait();
        }
    }

    /** The owner's call is open, and its stream has brought the question: a poll of another session does not. */
    @ParameterizedTest
    @ValueSource(strings = {"plain", "sep-1686", "sep-1003"})
    void the_question_of_a_call_of_another_generation_comes_when_its_stream_is_lost_and_not_before(String generation) {
        var other = served.handshake("2025-06-18", generation.equals("sep-1003") ? PARTS : Served.ELICITS);
        var call = other.send(
                "tools/call",
                generation.equals("sep-1686")
                        ? RequestorTasksTest.augmented("asks", "{}", "mine")
                        : Served.call("asks", "{}"));
        var question = Served.question(call);
        var token = served.handshake("2025-11-25").onlyTask();
        assertQuiet(messages(look(client, token)));
        call.leave();
        // A stream that is lost is noticed on a thread of its own.
        JsonNode again;
        do {
            again = messages(look(client, token)).getFirst();
        } while (!again.has("method"));
        assertThat(again.path("id")).isEqualTo(question.path("id"));
        assertThat(client.answer(again, ANSWER.replace("op-1", token)).status()).isEqualTo(202);
        while (!status(messages(look(client, token))).equals("completed")) {
            Thread.onSpinWait();
        }
    }

    @Test
    void an_answer_that_names_another_operation_is_refused_and_the_question_stays() {
        start(client);
        var question = question(lookAtQuestion(client));
        var refused = client.answer(question, ANSWER.replace("op-1", "op-2"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.response()).contains("names another task");
        assertThat(status(messages(look(client)))).isEqualTo("input_required");
        assertThat(client.answer(question, ANSWER).status()).isEqualTo(202);
        while (!status(messages(look(client))).equals("completed")) {
            Thread.onSpinWait();
        }
    }

    @Test
    void a_client_that_takes_no_stream_gets_the_status_as_plain_json() {
        start(client);
        var plain = client.with("Accept", "application/json");
        assertQuiet(lookAtQuestion(plain));
        assertThat(look(plain).isStream()).isFalse();
        question(lookAtQuestion(client));
    }
}
