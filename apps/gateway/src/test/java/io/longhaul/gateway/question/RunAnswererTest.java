// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.run.StaleRunException;
import io.longhaul.engine.task.Payload;
import io.longhaul.gateway.GatewayRun;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.question.Asking;
import io.longhaul.requestor.Answerer.Given;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server is answered when the task that it asks has no right to an answer any more. */
@Timeout(60)
class RunAnswererTest {

    private static final CallResponse.Question QUESTION =
            new CallResponse.Question("elicitation/create", Json.raw("{\"message\":\"Who?\"}"));

    /** A run that has lost its right to the task. */
    private static final class Stale extends GatewayRun {
        private final boolean goesOn;

        /** @param goesOn whether another node has the task */
        Stale(boolean goesOn) {
            this.goesOn = goesOn;
        }

        @Override
        public boolean isHandingBack() {
            return goesOn;
        }

        @Override
        public Payload ask(@Nullable String key, String method, Payload params, @Nullable Duration timeout) {
            throw new StaleRunException("the task is not of this run any more");
        }
    }

    private static Given answered(boolean goesOn) throws InterruptedException {
        var askable = new Asking(new Capabilities(true, false, false, false, false), false);
        return new RunAnswerer(new Stale(goesOn), askable, new UnansweredQuestion()).answer("who", QUESTION);
    }

    @Test
    void a_node_whose_task_another_node_has_taken_answers_nothing() {
        // The wait ends at once, by this interrupt; an answer would come before the interrupt is seen.
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> answered(true)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void a_question_of_a_task_that_has_ended_is_answered_with_the_end_of_the_call() throws Exception {
        assertThat(answered(false))
                .isInstanceOfSatisfying(
                        Given.Cannot.class,
                        given -> assertThat(given.why().message()).isEqualTo("The call is over."));
    }
}
