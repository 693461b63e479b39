// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Questions of a call with their answers, so that its handler can be run again. */
class AnsweredQuestionsTest {

    private static final Json ANN = Json.raw("{\"name\":\"Ann\"}");
    private static final Json BOB = Json.raw("{\"name\":\"Bob\"}");
    private static final Question WHO = elicit("{\"message\":\"Who?\"}");
    private static final Question WHERE = elicit("{\"message\":\"Where?\"}");

    @Test
    void a_question_that_is_asked_first_has_no_answer() {
        var questions = new AnsweredQuestions(Map.of());
        assertThat(questions.answer(questions.name("who"), WHO)).isNull();
    }

    @Test
    void a_client_that_knows_what_a_call_asks_may_answer_with_the_call() {
        var questions = new AnsweredQuestions(Map.of("who", ANN));
        assertThat(questions.answer(questions.name("who"), WHO)).isEqualTo(ANN);
        assertThat(questions.answer(questions.name("who"), WHO)).isNull();
    }

    @Test
    void a_handler_that_is_run_again_gets_the_answers_of_its_first_run() {
        var again = again(asked("who", WHO, ANN), Map.of());
        assertThat(again.answer(again.name("who"), WHO)).isEqualTo(ANN);
    }

    @Test
    void a_response_answers_the_open_question_of_its_key_and_no_answered_one() {
        var first = asked("who", WHO, ANN);
        first.answer(first.name("where"), WHERE);
        var again = again(first, Map.of("who", BOB, "where", BOB, "other", BOB));
        assertThat(again.answer(again.name("who"), WHO)).isEqualTo(ANN);
        assertThat(again.answer(again.name("where"), WHERE)).isEqualTo(BOB);
        assertThat(again.answer(again.name("other"), WHO)).isNull();
    }

    @Test
    void another_question_under_the_same_key_is_asked_anew() {
        var again = again(asked("who", WHO, ANN), Map.of());
        assertThat(again.answer(again.name("who"), WHERE)).isNull();
    }

    @Test
    void each_asking_of_a_key_has_an_answer_of_its_own() {
        var first = new AnsweredQuestions(Map.of());
        String one = first.name("who");
        String two = first.name("who");
        assertThat(two).isNotEqualTo(one);
        first.answer(one, WHO);
        first.answered(one, ANN);
        first.answer(two, WHO);
        var again = again(first, Map.of("who", BOB));
        assertThat(again.answer(again.name("who"), WHO)).isEqualTo(ANN);
        assertThat(again.answer(again.name("who"), WHO)).isEqualTo(BOB);
    }

    @Test
    void the_same_question_in_another_trace_is_the_same_question() {
        var traced = elicit("{\"message\":\"Who?\",\"_meta\":{\"traceparent\":\"00-1\"}}");
        var again = again(asked("who", traced, ANN), Map.of());
        assertThat(again.answer(again.name("who"), WHO)).isEqualTo(ANN);
    }

    @Test
    void a_question_at_an_address_is_known_by_its_message() {
        var again = again(asked("who", link("Sign in", "1"), ANN), Map.of());
        assertThat(again.answer(again.name("who"), link("Sign in", "2"))).isEqualTo(ANN);
        var other = again(asked("who", link("Sign in", "1"), ANN), Map.of());
        assertThat(other.answer(other.name("who"), link("Pay", "1"))).isNull();
    }

    @Test
    void a_question_of_another_method_is_another_question() {
        var again = again(asked("who", new Question("roots/list", WHO.params()), ANN), Map.of());
        assertThat(again.answer(again.name("who"), WHO)).isNull();
    }

    private static AnsweredQuestions asked(String key, Question question, Json answer) {
        var questions = new AnsweredQuestions(Map.of());
        String name = questions.name(key);
        questions.answer(name, question);
        questions.answered(name, answer);
        return questions;
    }

    private static AnsweredQuestions again(AnsweredQuestions first, Map<String, Json> responses) {
        return new AnsweredQuestions(first.state(null), responses);
    }

    private static Question elicit(String params) {
        return new Question("elicitation/create", Json.raw(params));
    }

    private static Question link(String message, String id) {
        return elicit("{\"mode\":\"url\",\"message\":\"" + message + "\",\"url\":\"https://host/" + id + "\"}");
    }
}
