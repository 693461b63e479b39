// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FakeTime;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests whose answers and cancellations come to another of three nodes. */
@Timeout(60)
class RequestsOfNodesTest {

    private static final String ANSWER = "{\"action\":\"accept\",\"content\":" + Tools.NAME + "}";

    private final CountDownLatch gate = new CountDownLatch(1);
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);

    @AutoClose
    private final Served served = Served.nodes(
            3,
            server -> server.tool(Tools.waits(gate))
                    .tool(Tools.asks())
                    .tool(Tool.define("chats").handler((none, task) -> Tools.askName(task)))
                    .tool(sleeps()));

    private Tool sleeps() {
        return Tool.define("sleeps").handler((none, task) -> {
            started.countDown();
            try {
                gate.await();
            } finally {
                stopped.countDown();
            }
            return "done";
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-06-18", "2025-11-25"})
    void a_quick_call_that_asks_is_answered_at_another_node(String version) {
        var client = served.handshake(version);
        var call = client.send("tools/call", Served.call("chats", "{}"));
        assertThat(client.answer(Served.question(call), ANSWER).status()).isEqualTo(202);
        assertThat(Served.resultText(call)).isEqualTo("It is Ada");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-06-18", "2025-11-25"})
    void a_long_call_that_asks_is_answered_at_another_node(String version) {
        var client = served.handshake(version);
        var call = client.send("tools/call", Served.call("asks", "{}"));
        assertThat(client.answer(Served.question(call), ANSWER).status()).isEqualTo(202);
        assertThat(Served.resultText(call)).isEqualTo("It is Ada");
    }

    /** @param id of another range than the ids of the questions of calls */
    @ParameterizedTest
    @ValueSource(strings = {"7", "-7", "\"seven\"", "4503599627370496", "9007199254740991"})
    void a_response_to_what_no_call_can_have_asked_is_told_to_no_other_node(String id) {
        // No node takes its messages while this clock stands still.
        var time = new FakeTime();
        try (var nodes = Served.nodes(3, server -> server.time(time))) {
            var client = nodes.handshake("2025-11-25");
            var response = "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{}}";
            assertThat(client.post(response).status()).isEqualTo(202);
            var rows = ((RunningServer) nodes.server()).engine.rows();
            assertThat(rows.list("node-message", null, 10, time.now())).isEmpty();
        }
    }

    @Test
    void a_round_of_a_quick_call_goes_on_at_another_node() {
        var client = served.stateless(Served.TASKS);
        var first = client.ask("tools/call", Served.call("chats", "{}")).path("result");
        String key = first.path("inputRequests").propertyNames().iterator().next();
        var members = "\"requestState\":" + first.path("requestState") + ",\"inputResponses\":{\"" + key + "\":"
                + ANSWER + "}";
        var second = client.send("tools/call", Served.and(Served.call("chats", "{}"), members));
        assertThat(Served.resultText(second)).isEqualTo("It is Ada");
    }

    @Test
    void a_quick_call_that_its_client_cancels_at_another_node_is_interrupted() throws Exception {
        var client = served.handshake("2025-06-18");
        client.send("tools/call", Served.call("sleeps", "{}"));
        started.await();
        client.post(Served.cancelled(1)).status();
        stopped.await();
    }

    @Test
    void a_long_call_that_its_client_cancels_at_another_node_cancels_its_task() {
        var client = served.handshake("2025-11-25");
        var call = client.send("tools/call", Served.call("waits", "{}"));
        while (client.listedTasks().isEmpty()) {
            Thread.onSpinWait();
        }
        client.post(Served.cancelled(1)).status();
        client.await(client.onlyTask(), "cancelled");
        assertThat(call.messages()).isEmpty();
    }

    @Test
    void a_question_that_its_client_runs_as_a_task_is_answered_by_that_whichever_node_was_told_of_the_task() {
        var hosts = "{\"elicitation\":{},\"tasks\":{\"requests\":{\"elicitation\":{\"create\":{}}}}}";
        var client = served.handshake("2025-11-25", hosts);
        var call = client.send("tools/call", Served.call("asks", "{}"));
        client.answer(Served.question(call), "{\"task\":" + hostedTask("working") + "}")
                .status();
        var look = Served.json(call.nextContaining("\"tasks/get\"").data());
        client.answer(look, hostedTask("completed")).status();
        var fetch = Served.json(call.nextContaining("\"tasks/result\"").data());
        client.answer(fetch, ANSWER).status();
        assertThat(Served.resultText(call)).isEqualTo("It is Ada");
    }

    private static String hostedTask(String status) {
        return "{\"taskId\":\"theirs\",\"status\":\"" + status + "\",\"createdAt\":\"2026-01-01T00:00:00Z\","
                + "\"lastUpdatedAt\":\"2026-01-01T00:00:00Z\",\"ttl\":null,\"pollInterval\":100}";
    }

    @Test
    void a_task_of_which_its_client_has_told_another_node_is_looked_at() {
        var hosts = "{\"elicitation\":{},\"tasks\":{\"requests\":{\"elicitation\":{\"create\":{}}}}}";
        var client = served.handshake("2025-06-18", hosts);
        var call = client.send("tools/call", Served.call("asks", "{}"));
        var task = Served.question(call).at("/params/_meta/modelcontextprotocol.io~1task");
        var related = "{\"_meta\":{\"modelcontextprotocol.io/related-task\":" + task + "}}";
        client.post(Served.notification("notifications/tasks/created", related)).status();
        assertThat(call.nextContaining("\"tasks/get\"").data())
                .contains(task.path("taskId").asString());
    }

    @Test
    void a_stream_ends_when_its_session_has_ended_at_another_node() {
        var client = served.handshake("2025-11-25");
        var stream = client.get();
        client.delete().status();
        assertThat(stream.messages()).isEmpty();
    }
}
