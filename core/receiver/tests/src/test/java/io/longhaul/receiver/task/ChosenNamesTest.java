// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.receiver.ext.tasks1686.RequestorTasksTest;
import io.longhaul.server.Served;
import io.longhaul.server.Tools;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A name that a requestor chose for its task stands for that task in its generation, and is free in the other. */
class ChosenNamesTest {

    private final CountDownLatch gate = new CountDownLatch(1);

    @AutoClose
    private final Served served = Served.with(Tools.waits(gate), Tools.greet());

    private final Served.Handshake next = served.handshake("next");

    private JsonNode operation() {
        return next.ask("tools/call", Served.and(Served.call("waits", "{}"), "\"operation\":{\"token\":\"mine\"}"));
    }

    private void task() {
        next.send("tools/call", RequestorTasksTest.augmented("waits", "{}", "mine"))
                .nextMessage();
    }

    private JsonNode status() {
        return next.ask("tools/async/status", "{\"token\":\"mine\"}");
    }

    private JsonNode got() {
        return next.ask("tasks/get", RequestorTasksTest.named("mine"));
    }

    @Test
    void the_id_of_a_task_of_a_requestor_is_no_token_of_an_operation_and_free_there() {
        task();
        assertThat(got().at("/result/status").asString()).isEqualTo("working");
        assertThat(status().at("/error/message").asString()).endsWith("Operation not found");
        assertThat(next.ask("tools/async/result", "{\"token\":\"mine\"}").has("error"))
                .isTrue();
        assertThat(operation().at("/result/operation/token").asString()).isEqualTo("mine");
        assertThat(status().at("/result/status").asString()).isIn("submitted", "working");
    }

    @Test
    void the_token_of_an_operation_is_no_id_of_a_task_of_a_requestor_and_free_there() {
        operation();
        assertThat(got().at("/error/message").asString()).endsWith("Task not found");
        task();
        assertThat(got().at("/result/status").asString()).isEqualTo("working");
    }

    @Test
    void a_generation_that_has_no_chosen_names_knows_one_that_is_chosen_once() {
        var other = served.handshake("2025-11-25");
        operation();
        assertThat(other.status("mine")).isEqualTo("working");
        task();
        assertThat(other.ask("tasks/get", "{\"taskId\":\"mine\"}").has("error")).isTrue();
    }
}
