// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.MemoryConnection;
import io.longhaul.receiver.PlainHosts;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** One handler that asks a question, called by a client of every generation. */
public class OneHandlerEveryGenerationTest {

    private static final String CALL = Served.call("asks", "{}");
    private static final String ANSWER = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";

    @AutoClose
    private final Served served = Served.with(Tools.asks());

    @ParameterizedTest
    @ValueSource(strings = {"2025-06-18", "2025-11-25"})
    void a_plain_call_is_asked_and_answered_on_its_own_stream(String version) {
        var client = served.handshake(version);
        var reply = client.send("tools/call", CALL);
        var question = Served.json(reply.nextMessage());
        assertThat(question.path("method").asString()).isEqualTo("elicitation/create");
        assertThat(question.path("params").path("message").asString()).isEqualTo("Who?");
        assertThat(client.answer(question, ANSWER).status()).isEqualTo(202);
        assertThat(Served.resultText(reply)).isEqualTo("It is Ada");
    }

    @Test
    void a_task_of_2025_11_25_asks_on_the_stream_of_a_waiting_tasks_result() {
        var client = served.handshake("2025-11-25");
        var created = client.ask("tools/call", Served.and(CALL, "\"task\":{\"ttl\":60000}"));
        String id = created.path("result").path("task").path("taskId").asString();
        var reply = client.send("tasks/result", taskId(id));
        var question = Served.json(reply.nextMessage());
        assertThat(related(question.path("params"))).isEqualTo(id);
        client.answer(question, ANSWER).status();
        var result = Served.json(reply.response()).path("result");
        assertThat(text(result)).isEqualTo("It is Ada");
        assertThat(related(result)).isEqualTo(id);
    }

    @Test
    void a_task_of_2026_07_28_asks_by_its_input_requests() throws Exception {
        var client = served.stateless(Served.TASKS);
        var created = client.ask("tools/call", CALL).path("result");
        assertThat(created.path("resultType").asString()).isEqualTo("task");
        String id = created.path("taskId").asString();
        var state = awaitStatus(client, id, "input_required");
        String key = state.path("inputRequests").propertyNames().iterator().next();
        var ack = client.ask(
                "tasks/update",
                "{\"taskId\":\"" + id + "\",\"inputResponses\":{\"" + key + "\":" + ANSWER + ",\"other\":{}}}");
        assertThat(ack.path("result").path("resultType").asString()).isEqualTo("complete");
        var ended = awaitStatus(client, id, "completed");
        assertThat(text(ended.path("result"))).isEqualTo("It is Ada");
    }

    @Test
    void a_plain_call_of_2026_07_28_is_asked_in_rounds() {
        var client = served.stateless(Served.ELICITS);
        var first = client.ask("tools/call", CALL).path("result");
        assertThat(first.path("resultType").asString()).isEqualTo("input_required");
        String key = first.path("inputRequests").propertyNames().iterator().next();
        var second = client.ask(
                "tools/call",
                Served.and(
                        CALL,
                        "\"inputResponses\":{\"" + key + "\":" + ANSWER + "},\"requestState\":"
                                + first.path("requestState")));
        assertThat(text(second.path("result"))).isEqualTo("It is Ada");
    }

    @Test
    void a_client_over_stdio_is_asked_on_the_connection() {
        try (var client = served.connect()) {
            client.send(initialize());
            client.next();
            client.send(Served.request(1, "tools/call", CALL));
            var question = Served.json(client.next());
            client.send("{\"jsonrpc\":\"2.0\",\"id\":" + question.path("id") + ",\"result\":" + ANSWER + "}");
            assertThat(text(Served.json(client.next()).path("result"))).isEqualTo("It is Ada");
        }
    }

    @Test
    void a_client_that_cannot_be_asked_gets_an_error_at_once() {
        try (var alone = Served.with(server -> server.plainHosts(PlainHosts.WAITING), Tools.asks())) {
            var error = alone.stateless("{}").ask("tools/call", CALL).path("error");
            assertThat(error.path("code").asInt()).isEqualTo(-32021);
            assertThat(error.path("data").path("requiredCapabilities").has("elicitation"))
                    .isTrue();
        }
    }

    public static String initialize() {
        return Served.initialize("2025-11-25", Served.ELICITS);
    }

    public static String taskId(String id) {
        return "{\"taskId\":\"" + id + "\"}";
    }

    public static String related(JsonNode params) {
        return params.path("_meta")
                .path("io.modelcontextprotocol/related-task")
                .path("taskId")
                .asString();
    }

    public static String text(JsonNode result) {
        return result.path("content").path(0).path("text").asString();
    }

    /** Listens until the task has that status. */
    public static JsonNode awaitStatus(Served.Stateless client, String id, String status) {
        var reply = client.send("subscriptions/listen", "{\"notifications\":{\"taskIds\":[\"" + id + "\"]}}");
        try {
            while (true) {
                var params = Served.json(reply.nextMessage()).path("params");
                if (params.path("status").asString("").equals(status)) {
                    return client.ask("tasks/get", taskId(id)).path("result");
                }
            }
        } finally {
            reply.leave();
        }
    }

    public static JsonNode next(MemoryConnection connection) {
        return Served.json(connection.next());
    }
}
