// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.transport.Principal;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Operations of SEP-1391, in sessions of the version next. */
class OperationsTest extends EachTool {

    private static final String OPERATION = "\"operation\":{\"token\":\"op-1\",\"keepAlive\":7200}";

    private final Served.Handshake client = served.handshake("next");

    @Test
    void tools_that_take_long_are_called_asynchronously_and_others_have_no_mode() {
        var tools = client.ask("tools/list", "{}").path("result").path("tools");
        assertThat(tools.path(0).path("name").asString()).isEqualTo("greet");
        assertThat(tools.path(0).has("invocationMode")).isFalse();
        assertThat(tools.path(1).path("invocationMode").asString()).isEqualTo("async");
        assertThat(tools.path(3).path("name").asString()).isEqualTo("fails");
        assertThat(tools.path(3).path("invocationMode").asString()).isEqualTo("async");
    }

    @Test
    void a_call_is_accepted_under_the_clients_token_with_the_time_that_its_result_is_kept() {
        var result = call("waits", OPERATION).path("result");
        assertThat(result.path("content").isArray()).isTrue();
        var operation = result.path("operation");
        assertThat(operation.path("token").asString()).isEqualTo("op-1");
        assertThat(operation.path("keepAlive").asInt()).isEqualTo(7200);
        assertThat(operation.path("pollFrequency").asInt()).isEqualTo(1);
        assertThat(operation.path("status").asString()).isIn("submitted", "working");
    }

    @Test
    void a_call_without_a_token_gets_ours_and_a_day() {
        var operation = call("waits", "\"operation\":{}").path("result").path("operation");
        assertThat(operation.path("keepAlive").asInt()).isEqualTo(86_400);
        var plain = call("waits", "\"_meta\":{}").path("result").path("operation");
        assertThat(status(plain.path("token").asString())).isEqualTo("working");
        assertThat(plain.path("token")).isNotEqualTo(operation.path("token"));
    }

    @Test
    void a_time_that_is_too_short_or_has_no_end_is_changed_and_told() {
        var shorter =
                call("waits", "\"operation\":{\"keepAlive\":1}").path("result").path("operation");
        assertThat(shorter.path("keepAlive").asInt()).isEqualTo(60);
        var endless = call("waits", "\"operation\":{\"keepAlive\":null}")
                .path("result")
                .path("operation");
        assertThat(endless.path("keepAlive").asInt()).isEqualTo(604_800);
    }

    @Test
    void an_operation_that_makes_no_sense_is_refused_by_a_long_tool_and_ignored_by_a_quick_one() {
        for (String operation : new String[] {"\"op-1\"", "{\"token\":7}", "{\"token\":\"\"}", "{\"keepAlive\":-1}"}) {
            var refused = call("waits", "\"operation\":" + operation).path("error");
            assertThat(refused.path("code").asInt()).isEqualTo(-32602);
            assertThat(refused.path("message").asString()).startsWith("params.operation");
            var quick = Served.and(Served.call("greet", Tools.NAME), "\"operation\":" + operation);
            assertThat(text(client.ask("tools/call", quick).path("result"))).contains("Hello, Ada!");
        }
    }

    @Test
    void a_call_under_the_token_that_the_server_gave_means_that_operation_and_another_call_is_refused() {
        var greets = Tool.define("greets").input(Tools.Name.class).longRunning().handler((who, task) -> who.name());
        try (var named = Served.with(greets, Tools.waits(gate))) {
            var caller = named.handshake("next");
            String ada = Served.call("greets", Tools.NAME);
            var first = caller.ask("tools/call", ada).path("result").path("operation");
            String given = "\"operation\":{\"token\":" + first.path("token") + "}";
            var again = caller.ask("tools/call", Served.and(ada, given)).path("result");
            assertThat(again.path("operation").path("token")).isEqualTo(first.path("token"));
            for (String other : List.of(ada.replace("Ada", "Bob"), Served.call("waits", "{}"))) {
                var error = caller.ask("tools/call", Served.and(other, given)).path("error");
                assertThat(error.path("code").asInt()).isEqualTo(-32602);
                assertThat(error.path("message").asString()).contains("was used before");
            }
            var tasks = named.handshake("2025-11-25").ask("tasks/list", "{}").path("result");
            assertThat(tasks.path("tasks").size()).isEqualTo(1);
            var bob = named.handshake("next", Served.BOB).ask("tools/call", Served.and(ada, given));
            assertThat(bob.has("result")).isTrue();
        }
    }

    @Test
    void a_completed_operation_gives_its_result_as_often_as_it_is_asked_for() {
        call("waits", OPERATION);
        assertThat(status("op-1")).isEqualTo("working");
        gate.countDown();
        finish("op-1");
        for (int times = 0; times < 2; times++) {
            var result = client.ask("tools/async/result", token("op-1")).path("result");
            assertThat(text(result.path("result"))).isEqualTo("done");
        }
    }

    @Test
    void a_result_is_refused_before_the_end_with_the_status_in_the_message() {
        call("waits", OPERATION);
        var error = client.ask("tools/async/result", token("op-1")).path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32602);
        assertThat(error.path("message").asString()).contains("'working'");
    }

    @Test
    void a_result_that_says_it_is_an_error_has_completed_and_a_json_rpc_error_has_failed() {
        call("fails", OPERATION);
        assertThat(finish("op-1").path("status").asString()).isEqualTo("completed");
        var result = client.ask("tools/async/result", token("op-1")).path("result");
        assertThat(result.path("result").path("isError").asBoolean()).isTrue();
        call("breaks", "\"operation\":{\"token\":\"op-2\"}");
        var broken = finish("op-2");
        assertThat(broken.path("status").asString()).isEqualTo("failed");
        assertThat(broken.path("error").asString()).isEqualTo("out of paper");
        var error = client.ask("tools/async/result", token("op-2")).path("error");
        assertThat(error.path("message").asString()).contains("'failed': out of paper");
    }

    @Test
    void a_repeated_call_finds_its_operation_and_another_one_cannot_have_its_token() {
        call("waits", OPERATION);
        var again = call("waits", OPERATION).path("result").path("operation");
        assertThat(again.path("token").asString()).isEqualTo("op-1");
        var error = call("breaks", OPERATION).path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32602);
        assertThat(error.path("message").asString()).contains("operation.token");
        assertThat(client.ask("tools/async/status", token("op-1"))
                        .path("result")
                        .path("status")
                        .asString())
                .isEqualTo("working");
    }

    @Test
    void a_token_has_256_characters_at_most() {
        String longest = "t".repeat(256);
        var accepted = call("waits", "\"operation\":{\"token\":\"" + longest + "\"}");
        assertThat(accepted.path("result").path("operation").path("token").asString())
                .isEqualTo(longest);
        var refused =
                call("waits", "\"operation\":{\"token\":\"" + longest + "t\"}").path("error");
        assertThat(refused.path("code").asInt()).isEqualTo(-32602);
        assertThat(refused.path("message").asString()).contains("256");
    }

    @Test
    void an_unknown_token_and_that_of_somebody_else_are_not_found() {
        call("waits", OPERATION);
        var mallory = served.handshake("next", Served.BOB);
        for (var refused : new JsonNode[] {
            client.ask("tools/async/status", token("nope")),
            client.ask("tools/async/result", token("nope")),
            mallory.ask("tools/async/status", token("op-1")),
            mallory.ask("tools/async/result", token("op-1"))
        }) {
            assertThat(refused.path("error").path("code").asInt()).isEqualTo(-32602);
            assertThat(refused.path("error").path("message").asString())
                    .isEqualTo("Failed to retrieve operation: Operation not found");
        }
    }

    @Test
    void where_nobody_is_known_a_token_holds_within_its_session() {
        var nobody = new Principal("nobody", Principal.Kind.ANONYMOUS);
        var one = served.handshake("next", nobody);
        var other = served.handshake("next", nobody);
        one.ask("tools/call", Served.and(Served.call("waits", "{}"), OPERATION));
        assertThat(one.ask("tools/async/status", token("op-1")).has("result")).isTrue();
        assertThat(other.ask("tools/async/status", token("op-1")).has("error")).isTrue();
    }

    @Test
    void a_quick_tool_is_answered_at_once_and_has_no_operation() {
        var result = client.ask("tools/call", Served.and(Served.call("greet", Tools.NAME), OPERATION))
                .path("result");
        assertThat(result.path("structuredContent").path("text").asString()).isEqualTo("Hello, Ada!");
        assertThat(result.has("operation")).isFalse();
    }

    @Test
    void giving_the_call_up_cancels_its_operation_after_it_was_answered() {
        var reply = client.send("tools/call", Served.and(Served.call("waits", "{}"), OPERATION));
        var id = Served.json(reply.response()).path("id");
        client.post(Served.cancelled(id)).status();
        assertThat(finish("op-1").path("status").asString()).isEqualTo("canceled");
        var error = client.ask("tools/async/result", token("op-1")).path("error");
        assertThat(error.path("message").asString()).contains("'canceled'");
        gate.countDown();
        assertThat(status("op-1")).isEqualTo("canceled");
    }

    @Test
    void a_repetition_of_a_call_is_given_up_by_its_own_id_also_after_a_restart() {
        call("waits", OPERATION);
        var again = call("waits", OPERATION).path("id");
        served.restart();
        served.handshake("next").post(Served.cancelled(again)).status();
        assertThat(status("op-1")).isNotEqualTo("canceled");
        client.post(Served.cancelled(again)).status();
        assertThat(status("op-1")).isEqualTo("canceled");
    }

    @Test
    void the_end_of_a_session_is_not_that_of_its_operations() {
        call("waits", OPERATION);
        client.delete().status();
        var next = served.handshake("next");
        assertThat(next.ask("tools/async/status", token("op-1"))
                        .path("result")
                        .path("status")
                        .asString())
                .isEqualTo("working");
    }

    @Test
    void an_operation_goes_on_over_a_restart_under_its_token_and_in_its_session() {
        call("waits", OPERATION);
        served.restart();
        gate.countDown();
        String status = "";
        while (!status.equals("completed")) {
            status = status("op-1");
            assertThat(status).isIn("submitted", "working", "completed");
        }
        assertThat(text(client.ask("tools/async/result", token("op-1"))
                        .path("result")
                        .path("result")))
                .isEqualTo("done");
    }

    @Test
    void an_operation_is_a_task_in_other_generations_and_theirs_is_an_operation_here() {
        var answered = call("waits", OPERATION).path("result").path("operation");
        assertThat(answered.path("token").asString()).isEqualTo("op-1");
        var other = served.handshake("2025-11-25");
        assertThat(other.ask("tasks/get", "{\"taskId\":\"op-1\"}")
                        .path("result")
                        .path("status")
                        .asString())
                .isEqualTo("working");
        String id = other.task("waits");
        assertThat(status(id)).isEqualTo("working");
    }

    private JsonNode call(String tool, String more) {
        return client.ask("tools/call", Served.and(Served.call(tool, "{}"), more));
    }

    private String status(String token) {
        return client.ask("tools/async/status", token(token))
                .path("result")
                .path("status")
                .asString();
    }

    /** The status when the operation has ended. */
    private JsonNode finish(String token) {
        JsonNode result;
        do {
            result = client.ask("tools/async/status", token(token)).path("result");
        } while (result.path("status").asString().matches("submitted|working|input_required"));
        return result;
    }

    private static String token(String token) {
        return "{\"token\":\"" + token + "\"}";
    }

    private static String text(JsonNode result) {
        return result.path("content").path(0).path("text").asString();
    }
}
