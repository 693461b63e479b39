// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gateway.link.UnknownCaller;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.json.Json;
import io.longhaul.requestor.Answerer.Given;
import io.longhaul.server.LogLines;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the log has of an upstream that asks without end and does not say for which call. */
class RefusedQuestionsLogTest {

    @Test
    void the_first_question_of_an_upstream_that_is_refused_is_logged_and_no_other_nor_any_for_folders() {
        var answerer = new UnknownCaller(Upstream.launch("asks", List.of("asks")).server);
        try (var log = new LogLines("io.longhaul.gateway.link.UnknownCaller")) {
            for (var method : List.of("roots/list", "elicitation/create", "sampling/createMessage", "roots/list")) {
                assertThat(answerer.answer(new Question(method, Json.EMPTY_OBJECT)))
                        .isInstanceOf(Given.Cannot.class);
            }
            assertThat(log.all())
                    .singleElement()
                    .satisfies(line -> assertThat(line.getFormattedMessage())
                            .startsWith("a question (elicitation/create) of upstream asks was refused"));
        }
    }
}
