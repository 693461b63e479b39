// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.json.Json;
import io.longhaul.requestor.FormAnswers;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Whose question it is that a server asks. */
class AnswerersTest {

    private final FormAnswers usual = new Named("usual");
    private final FormAnswers ada = new Named("Ada");
    private final FormAnswers bob = new Named("Bob");
    private final Answerers answerers = new Answerers(usual);

    private record Named(String name) implements FormAnswers {
        @Override
        public Given answer(CallResponse.Question question) {
            return new Given.Result(Json.raw("{\"action\":\"decline\"}"));
        }
    }

    @Test
    void a_question_without_a_call_is_the_clients() throws Exception {
        assertThat(answerers.of(Optional.empty(), null)).isEqualTo(usual);
        try (var call = answerers.underway(null)) {
            assertThat(answerers.of(Optional.empty(), null)).isEqualTo(usual);
        }
    }

    @Test
    void a_question_on_the_stream_of_a_call_is_that_calls() throws Exception {
        try (var one = answerers.underway(ada);
                var two = answerers.underway(bob)) {
            assertThat(answerers.of(Optional.empty(), bob)).isEqualTo(bob);
        }
    }

    @Test
    void a_question_of_a_task_is_that_of_its_call_until_the_end() throws Exception {
        try (var task = answerers.ofTask("t", ada);
                var other = answerers.underway(bob)) {
            assertThat(answerers.of(Optional.of("t"), bob)).isEqualTo(ada);
            assertThat(answerers.of("t")).isEqualTo(ada);
            assertThat(answerers.of("other")).isEqualTo(usual);
        }
        assertThat(answerers.of("t")).isEqualTo(usual);
    }

    @Test
    void a_question_that_names_nothing_is_for_the_one_call_that_is_under_way_and_for_none_of_several()
            throws Exception {
        try (var one = answerers.underway(ada)) {
            assertThat(answerers.of(Optional.empty(), null)).isEqualTo(ada);
            try (var again = answerers.underway(ada)) {
                assertThat(answerers.of(Optional.empty(), null)).isEqualTo(ada);
            }
            try (var two = answerers.underway(bob)) {
                assertThat(answerers.of(Optional.empty(), null)).isEqualTo(usual);
            }
            assertThat(answerers.of(Optional.empty(), null)).isEqualTo(ada);
        }
    }

    @Test
    void a_question_of_a_task_of_which_its_call_is_told_just_later_waits_for_that() throws Exception {
        try (var one = answerers.underway(ada);
                var other = answerers.underway(bob)) {
            var asked = new FutureTask<>(() -> answerers.of(Optional.of("t"), null));
            var asking = Thread.ofVirtual().start(asked);
            while (asking.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            try (var task = answerers.ofTask("t", bob)) {
                assertThat(asked.get()).isEqualTo(bob);
            }
        }
    }

    @Test
    void a_question_of_a_task_of_nobody_here_is_the_clients() throws Exception {
        try (var one = answerers.underway(ada);
                var other = answerers.underway(bob)) {
            assertThat(answerers.of(Optional.of("foreign"), null)).isEqualTo(usual);
        }
    }
}
