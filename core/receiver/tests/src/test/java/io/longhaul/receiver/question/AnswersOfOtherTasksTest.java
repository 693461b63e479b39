// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.receiver.ext.tasks1686.RequestorTasksTest;
import io.longhaul.server.Served;
import io.longhaul.server.Tools;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** An answer that names another task than its question is refused, wherever a generation has the names. */
@Timeout(60)
class AnswersOfOtherTasksTest {

    private static final String ANSWER = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"},\"_meta\":{\"%s\":%s}}";

    @AutoClose
    private final Served served = Served.with(Tools.asks());

    private static void assertTaken(Served.Handshake client, JsonNode question, String key, String name) {
        var other = ANSWER.formatted(key, "{\"taskId\":\"another\"}");
        assertThat(client.answer(question, other).response()).contains("names another task");
        var same = ANSWER.formatted(key, "{\"taskId\":\"" + name + "\"}");
        assertThat(client.answer(question, same).status()).isEqualTo(202);
    }

    @Test
    void of_2025() {
        var client = served.handshake("2025-11-25");
        var task = client.task("asks");
        client.await(task, "input_required");
        var result = client.send("tasks/result", "{\"taskId\":\"" + task + "\"}");
        assertTaken(client, Served.question(result), "io.modelcontextprotocol/related-task", task);
        assertThat(Served.resultText(result)).isEqualTo("It is Ada");
    }

    @Test
    void of_a_requestor() {
        var client = served.handshake("2025-06-18");
        var call = client.send("tools/call", RequestorTasksTest.augmented("asks", "{}", "mine"));
        assertTaken(client, Served.question(call), RequestorTasksTest.RELATED, "mine");
        assertThat(Served.resultText(call)).isEqualTo("It is Ada");
    }

    @Test
    void an_answer_that_names_no_task_is_taken() {
        var client = served.handshake("next");
        var call = client.send("tools/call", RequestorTasksTest.augmented("asks", "{}", "mine"));
        var answer = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";
        assertThat(client.answer(Served.question(call), answer).status()).isEqualTo(202);
        assertThat(Served.resultText(call)).isEqualTo("It is Ada");
    }

    @Test
    void one_that_is_given_again_and_again_ends_the_question() {
        var client = served.handshake("next");
        var call = client.send("tools/call", RequestorTasksTest.augmented("asks", "{}", "mine"));
        var question = Served.question(call);
        var wrong = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"},\"_operation\":{\"token\":\"another\"}}";
        assertThat(client.answer(question, wrong).status()).isEqualTo(400);
        assertThat(client.answer(question, wrong).status()).isEqualTo(400);
        client.answer(question, wrong).status();
        assertThat(Served.json(call.response()).toString()).doesNotContain("It is Ada");
    }
}
