// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.ServerAddress;
import io.longhaul.engine.task.Outcome;
import io.longhaul.gateway.link.UpstreamServer;
import io.longhaul.gateway.question.UnansweredQuestion;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.server.ToolException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a model reads of a call that its server did not answer. */
class OutcomeTranslationTest {

    private static final UpstreamServer BANK = UpstreamServer.of("bank", new ServerAddress.Command(List.of("true")));
    private static final CallOutcome LOST = new CallOutcome.Lost("not found");

    private static String ofLong(CallOutcome outcome, boolean isBegun, UnansweredQuestion unanswered) {
        return ((Outcome.Result) OutcomeTranslation.of(outcome, new OutcomeTranslation.At(BANK, isBegun, unanswered)))
                .body()
                .text();
    }

    @Test
    void of_a_call_that_may_have_begun_it_is_said_that_its_work_may_have_been_done() {
        var at = new OutcomeTranslation.At(BANK, true, new UnansweredQuestion());
        assertThatThrownBy(() -> OutcomeTranslation.result(LOST, at))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("may have carried out the call, or not")
                .hasMessageNotContaining("Try again later");
        assertThat(ofLong(LOST, true, new UnansweredQuestion()))
                .contains("may have carried out the call, or not")
                .doesNotContain("Try again later");
    }

    @Test
    void a_call_that_was_not_begun_can_be_made_later() {
        assertThat(ofLong(LOST, false, new UnansweredQuestion()))
                .contains("has not begun the call. Try again later.")
                .doesNotContain("may have");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void the_reason_why_a_question_was_not_answered_is_told(boolean isBegun) {
        var unanswered = new UnansweredQuestion();
        unanswered.reply(new RpcError(-1, "Nobody is here."));
        for (var outcome : List.of(LOST, new CallOutcome.Unusable("cannot answer"))) {
            assertThat(ofLong(outcome, isBegun, unanswered))
                    .contains("'bank' behind this gateway has asked a question that nobody answered: Nobody is here.");
        }
    }
}
