// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.rounds;

import static io.longhaul.receiver.ReceiverParts.ANN;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.Round;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.ReceiverParts;
import io.longhaul.receiver.request.InboundRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Questions that are answered in rounds of a call, before there is a task. */
class FirstQuestionsTest {

    private static final Json DECLINE = Json.raw("{\"action\":\"decline\"}");
    private static final Json BAD = Json.raw("{\"action\":\"perhaps\"}");

    private final ReceiverParts parts = new ReceiverParts();
    private final CallStates states = new CallStates(parts.context);
    private final FirstQuestions first = new FirstQuestions(states, questions());

    @AfterEach
    void close() {
        parts.close();
    }

    @Test
    void each_round_asks_what_is_still_open_and_carries_what_was_answered() {
        var one = call(Map.of());
        var asked =
                (CallResponse.InputNeeded) first.missing(request(), one, null).orElseThrow();
        assertThat(asked.questions()).containsOnlyKeys("who", "where");
        var two = call(Map.of("who", DECLINE, "other", DECLINE));
        var carried = states.open(request(), two, asked.requestState()).orElseThrow();
        var askedAgain = (CallResponse.InputNeeded)
                first.missing(request(), two, carried).orElseThrow();
        assertThat(askedAgain.questions()).containsOnlyKeys("where");
        var three = call(Map.of("where", DECLINE));
        var all = states.open(request(), three, askedAgain.requestState()).orElseThrow();
        assertThat(first.missing(request(), three, all)).isEmpty();
        assertThat(first.given(three, all)).isEqualTo(Map.of("who", DECLINE, "where", DECLINE));
    }

    @Test
    void a_bad_answer_is_refused() {
        var answer = first.missing(request(), call(Map.of("who", BAD)), null);
        assertThat(answer)
                .contains(new CallResponse.Refused(
                        new Refusal.InvalidParams("inputResponses.who: action must be accept, decline or cancel")));
    }

    @Test
    void answers_are_carried_to_the_next_round_for_an_hour() {
        var call = call(Map.of());
        var asked =
                (CallResponse.InputNeeded) first.missing(request(), call, null).orElseThrow();
        parts.time.advance(Duration.ofHours(1).minusMillis(1));
        assertThat(states.open(request(), call, asked.requestState())).isPresent();
        parts.time.advance(Duration.ofMillis(1));
        assertThat(states.open(request(), call, asked.requestState())).isEmpty();
    }

    @Test
    void a_client_that_cannot_be_asked_is_told_what_it_lacks() {
        var answer = first.missing(parts.request(ANN), call(Map.of()), null);
        assertThat(answer)
                .contains(new CallResponse.Refused(
                        new Refusal.CapabilityMissing(new Capabilities(true, false, false, false, false))));
    }

    private InboundRequest request() {
        var request = parts.request(ANN);
        var form = new Capabilities(true, false, false, false, false);
        return new InboundRequest(
                request.session(), request.manner(), form, request.client(), request.live(), request.reply());
    }

    private static CallTool call(Map<String, Json> responses) {
        var round = new Round(responses, null);
        return new CallTool("t", Json.EMPTY_OBJECT, new TaskWish.None(), CallExtras.NONE, round);
    }

    private static Map<String, Question> questions() {
        Map<String, Question> questions = new LinkedHashMap<>();
        questions.put("who", new Question("elicitation/create", Json.raw("{\"message\":\"Who?\"}")));
        questions.put("where", new Question("elicitation/create", Json.raw("{\"message\":\"Where?\"}")));
        return questions;
    }
}
