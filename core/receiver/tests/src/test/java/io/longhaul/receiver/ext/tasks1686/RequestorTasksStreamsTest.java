// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.tasks1686;

import static io.longhaul.receiver.ext.tasks1686.RequestorTasksTest.augmented;
import static io.longhaul.receiver.ext.tasks1686.RequestorTasksTest.named;
import static io.longhaul.receiver.ext.tasks1686.RequestorTasksTest.related;
import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Streams that break, servers that are started anew, and other owners, where requestors name their tasks. */
@Timeout(60)
class RequestorTasksStreamsTest {

    private static final String ANSWER = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";

    private final CountDownLatch gate = new CountDownLatch(1);

    @AutoClose
    private final Served served = Served.with(Tools.waits(gate), Tools.asks(), askAfter(gate));

    private final Served.Handshake client = served.handshake("2025-06-18");

    @Test
    void a_broken_stream_is_resumed_where_it_broke_and_ends_with_the_response() {
        var client = served.handshake("2025-11-25");
        var reply = client.send("tools/call", augmented("waits", "{}", "mine"));
        String last = reply.nextContaining("notifications/tasks/created").id();
        reply.leave();
        gate.countDown();
        var messages = client.resume(last).messages();
        assertThat(messages.getFirst()).contains("notifications/progress").contains(RequestorTasksTest.RELATED);
        var response = Served.json(messages.getLast());
        assertThat(response.path("id").asInt()).isEqualTo(1);
        assertThat(related(response.path("result"))).isEqualTo("mine");
    }

    @Test
    void a_stream_is_resumed_and_its_request_repeated_after_a_restart() {
        String last = client.send("tools/call", augmented("waits", "{}", "mine"))
                .nextContaining("created")
                .id();
        served.restart();
        gate.countDown();
        var response = Served.json(client.resume(last).messages().getLast());
        assertThat(text(response.path("result"))).isEqualTo("done");
        assertThat(related(response.path("result"))).isEqualTo("mine");
        var again = Served.json(
                client.send("tools/call", augmented("waits", "{}", "mine")).response());
        assertThat(text(again.path("result"))).isEqualTo("done");
        var result = client.ask("tasks/result", named("mine")).path("result");
        assertThat(text(result)).isEqualTo("done");
    }

    @Test
    void a_question_that_a_lost_stream_cannot_carry_is_put_on_the_side_stream() {
        var side = client.get();
        var reply = client.send("tools/call", augmented("late", "{}", "mine"));
        reply.nextMessage();
        reply.leave();
        gate.countDown();
        var question = Served.question(side);
        assertThat(related(question.path("params"))).isEqualTo("mine");
        client.answer(question, ANSWER).status();
        assertThat(text(repeat(client, "late"))).isEqualTo("It is Ada");
    }

    @Test
    void a_question_is_put_once_though_the_side_stream_is_open_beside_the_request() {
        var side = client.get();
        var reply = client.send("tools/call", augmented("asks", "{}", "mine"));
        var question = Served.question(reply);
        assertThat(side.isQuiet()).isTrue();
        client.answer(question, ANSWER).status();
        assertThat(Served.resultText(reply)).isEqualTo("It is Ada");
    }

    @Test
    void an_answer_to_a_question_from_before_a_restart_finds_its_task() {
        var reply = client.send("tools/call", augmented("asks", "{}", "mine"));
        var question = Served.question(reply);
        served.restart();
        client.answer(question, ANSWER).status();
        assertThat(text(repeat(client, "asks"))).isEqualTo("It is Ada");
    }

    private static void assertCancelled(Served.Handshake client) {
        var task = client.ask("tasks/get", named("mine")).path("result");
        assertThat(task.path("status").asString()).isEqualTo("cancelled");
    }

    /** A session begins the task "mine". */
    private static void begin(Served served) {
        served.handshake("2025-06-18")
                .send("tools/call", augmented("waits", "{}", "mine"))
                .nextMessage();
    }

    @Test
    void a_request_that_was_lost_is_cancelled_by_its_id_after_a_restart() {
        client.send("tools/call", augmented("waits", "{}", "mine")).nextMessage();
        served.restart();
        client.post(Served.cancelled(1)).status();
        served.handshake("2025-11-25").ask("tasks/result", "{\"taskId\":\"mine\"}");
        assertCancelled(client);
    }

    @Test
    void the_stream_of_a_request_that_another_session_repeats_is_resumed_there() {
        begin(served);
        var other = served.handshake("2025-06-18");
        var reply = other.send("tools/call", augmented("waits", "{}", "mine"));
        String last = reply.nextContaining("notifications/tasks/created").id();
        reply.leave();
        gate.countDown();
        var response = Served.json(other.resume(last).messages().getLast());
        assertThat(text(response.path("result"))).isEqualTo("done");
    }

    @Test
    void a_session_that_repeated_a_request_is_asked_on_its_side_stream_after_a_restart() {
        served.handshake("2025-06-18")
                .send("tools/call", augmented("asks", "{}", "mine"))
                .nextContaining("elicitation/create");
        client.send("tools/call", augmented("asks", "{}", "mine")).nextContaining("elicitation/create");
        served.restart();
        client.answer(Served.question(client.get()), ANSWER).status();
        assertThat(text(repeat(client, "asks"))).isEqualTo("It is Ada");
    }

    @Test
    void a_repeated_request_whose_stream_broke_too_is_cancelled_by_its_own_id() {
        for (int i = 0; i < 2; i++) {
            var reply = client.send("tools/call", augmented("waits", "{}", "mine"));
            reply.nextMessage();
            reply.leave();
        }
        client.post(Served.cancelled(2)).status();
        assertCancelled(client);
    }

    @Test
    void the_tasks_of_somebody_else_are_unknown_and_their_ids_are_free() {
        begin(served);
        var bob = served.handshake("2025-06-18", Served.BOB);
        for (String verb : new String[] {"tasks/get", "tasks/result", "tasks/delete"}) {
            var foreign = bob.ask(verb, named("mine")).path("error");
            assertThat(foreign).isEqualTo(bob.ask(verb, named("none")).path("error"));
            assertThat(foreign.path("code").asInt()).isEqualTo(-32602);
        }
        assertThat(bob.ask("tasks/list", "{}").path("result").path("tasks").size())
                .isZero();
        assertThat(bob.send("tools/call", augmented("waits", "{}", "mine")).nextMessage())
                .contains("notifications/tasks/created");
    }

    @Test
    void metadata_that_is_none_and_ids_that_are_no_strings_are_refused() {
        for (String task : new String[] {
            "{}",
            "7",
            "{\"taskId\":7}",
            "{\"taskId\":\"\"}",
            "{\"taskId\":\"a\\u0000\"}",
            "{\"taskId\":\"" + "x".repeat(257) + "\"}",
            "{\"taskId\":\"a\",\"keepAlive\":-1}",
            "{\"taskId\":\"a\",\"keepAlive\":\"long\"}"
        }) {
            var refused = client.ask(
                    "tools/call",
                    Served.and(
                            Served.call("waits", "{}"), "\"_meta\":{\"modelcontextprotocol.io/task\":" + task + "}"));
            assertThat(refused.path("error").path("code").asInt()).as(task).isEqualTo(-32602);
        }
        for (String verb : new String[] {"tasks/get", "tasks/result", "tasks/delete"}) {
            assertThat(client.ask(verb, "{\"taskId\":7}")
                            .path("error")
                            .path("code")
                            .asInt())
                    .isEqualTo(-32602);
        }
    }

    @Test
    void a_task_of_this_generation_is_read_watched_and_cancelled_in_another() {
        begin(served);
        var other = served.handshake("2025-11-25");
        var task = other.ask("tasks/get", "{\"taskId\":\"mine\"}").path("result");
        assertThat(task.path("status").asString()).isEqualTo("working");
        assertThat(task.has("pollInterval")).isTrue();
        var cancelled = other.ask("tasks/cancel", "{\"taskId\":\"mine\"}").path("result");
        assertThat(cancelled.path("status").asString()).isEqualTo("cancelled");
    }

    @Test
    void everything_goes_over_one_connection_too() {
        var connection = served.connect();
        connection.send(Served.initialize("2025-03-26", "{\"sampling\":{}}"));
        assertThat(connection.next()).contains("\"tasks\":");
        connection.send(Served.request(1, "tools/call", augmented("asks", "{}", "mine")));
        assertThat(connection.next()).contains("notifications/tasks/created").contains("\"mine\"");
    }

    /** Asks again for what was asked before, and waits for the answer. */
    private static JsonNode repeat(Served.Handshake client, String tool) {
        return Served.json(
                        client.send("tools/call", augmented(tool, "{}", "mine")).response())
                .path("result");
    }

    private static Tool askAfter(CountDownLatch gate) {
        return Tool.define("late").longRunning().handler((none, task) -> {
            gate.await();
            return Tools.askName(task);
        });
    }
}
