// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.toolsasync;

import static io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest.CALL;
import static io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest.GET;
import static io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest.INITIALIZE;
import static io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest.JOIN;
import static io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest.call;
import static io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest.token;
import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.MemoryConnection;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Several sessions that join one call of the {@code tools/async} draft. */
class ToolsAsyncTogetherTest {

    private static final String CANCEL = "tools/async/cancel";
    private static final String PROGRESS = "\"_meta\":{\"progressToken\":\"%s\"}";

    private final CountDownLatch gate = new CountDownLatch(1);
    private final Semaphore steps = new Semaphore(0);

    @AutoClose
    private final Served served = Served.with(Tools.waits(gate), Tools.asks());

    private final Served.Handshake client = served.handshake("2025-06-18");

    @Test
    void who_joins_is_told_the_progress_so_far_and_to_come_under_a_token_of_its_own() {
        try (var served = Served.with(stepping(3))) {
            var first = connect(served);
            first.send(Served.request(2, CALL, progress(Served.call("steps", "{}"), "mine")));
            var accepted = Served.json(first.next()).path("result");
            steps.release();
            assertThat(step(first.next(), "mine")).isEqualTo(1);
            var second = connect(served);
            second.send(Served.request(7, JOIN, progress(token(accepted), "theirs")));
            var joined = Served.json(second.next()).path("result");
            assertThat(joined.path("token")).isEqualTo(accepted.path("token"));
            assertThat(step(second.next(), "theirs")).isEqualTo(1);
            steps.release();
            assertThat(step(first.next(), "mine")).isEqualTo(2);
            assertThat(step(second.next(), "theirs")).isEqualTo(2);
        }
    }

    @Test
    void all_who_called_or_joined_fetch_the_result() {
        var first = served.handshake("2025-06-18");
        var token = token(call(first, "waits"));
        var second = served.handshake("2024-11-05");
        assertThat(second.ask(JOIN, token).path("result").path("accepted").asBoolean())
                .isTrue();
        gate.countDown();
        for (var client : List.of(first, second)) {
            assertThat(text(client.ask(GET, token).path("result"))).isEqualTo("done");
        }
    }

    @Test
    void a_call_that_has_ended_can_still_be_joined() {
        var token = token(call(served.handshake("2025-06-18"), "waits"));
        gate.countDown();
        var second = served.handshake("2025-06-18");
        second.ask(GET, token);
        assertThat(second.ask(JOIN, token).path("result").path("accepted").asBoolean())
                .isTrue();
    }

    @Test
    void a_cancel_is_told_to_all_who_called_or_joined_each_with_the_id_of_its_own_request() {
        var first = connect(served);
        first.send(Served.request(21, CALL, Served.call("waits", "{}")));
        var accepted = Served.json(first.next()).path("result");
        var second = connect(served);
        second.send(Served.request(22, JOIN, token(accepted)));
        second.next();
        var third = connect(served);
        third.send(Served.request(23, JOIN, token(accepted)));
        third.next();
        second.send(Served.notification(CANCEL, token(accepted)));
        cancelled(first.next(), 21);
        cancelled(second.next(), 22);
        cancelled(third.next(), 23);
        first.send(Served.request(24, GET, token(accepted)));
        var result = Served.json(first.next()).path("result");
        assertThat(result.path("isError").asBoolean()).isTrue();
        assertThat(text(result)).contains("cancelled");
    }

    @Test
    void a_session_that_called_and_joined_is_told_of_a_cancel_for_both() {
        var client = connect(served);
        client.send(Served.request(31, CALL, Served.call("waits", "{}")));
        var accepted = Served.json(client.next()).path("result");
        client.send(Served.request(32, JOIN, token(accepted)));
        client.next();
        client.send(Served.notification(CANCEL, token(accepted)));
        cancelled(client.next(), 31);
        cancelled(client.next(), 32);
    }

    @Test
    void a_cancel_by_another_generation_is_told_too() {
        var first = connect(served);
        first.send(Served.request(41, CALL, Served.call("waits", "{}")));
        var accepted = Served.json(first.next()).path("result");
        var other = served.connect();
        other.send(Served.request(1, "initialize", INITIALIZE.replace("2025-06-18", "2025-11-25")));
        other.next();
        var task = "{\"taskId\":" + accepted.path("token") + "}";
        other.send(Served.request(2, "tasks/cancel", task));
        cancelled(first.next(), 41);
    }

    @Test
    void who_only_waits_is_told_of_a_cancel_where_it_waits() {
        var token = token(call(client, "waits"));
        var waiting = client.send(GET, token);
        assertThat(waiting.isStream()).isTrue();
        client.post(Served.notification(CANCEL, token)).status();
        var messages = waiting.messages();
        cancelled(messages.getFirst(), 1);
        assertThat(text(Served.json(messages.getLast()).path("result"))).contains("cancelled");
    }

    @Test
    void a_cancel_interrupts_the_work_of_the_call() throws Exception {
        var interrupted = new CountDownLatch(1);
        var works = Tool.define("works").description("Works").longRunning().handler((none, task) -> {
            try {
                gate.await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
            return "ended";
        });
        try (var served = Served.with(works)) {
            var client = served.handshake("2025-06-18");
            client.post(Served.notification(CANCEL, token(call(client, "works"))))
                    .status();
            interrupted.await();
        }
    }

    @Test
    void nobody_cancels_what_belongs_to_somebody_else() {
        var alice = served.handshake("2025-06-18");
        var token = token(call(alice, "waits"));
        var bob = served.handshake("2025-06-18", Served.BOB);
        assertThat(bob.post(Served.notification(CANCEL, token)).status()).isEqualTo(202);
        gate.countDown();
        assertThat(text(alice.ask(GET, token).path("result"))).isEqualTo("done");
    }

    @Test
    void a_cancel_that_names_nothing_is_ignored() {
        for (var params : List.of("{}", "{\"token\":[]}", "{\"token\":\"nothing\"}")) {
            assertThat(client.post(Served.notification(CANCEL, params)).status())
                    .isEqualTo(202);
        }
        assertThat(client.send("ping", "{}").status()).isEqualTo(200);
    }

    @Test
    void giving_up_a_wait_does_not_cancel_the_call() {
        var token = token(call(client, "waits"));
        var waiting = client.send(GET, token);
        assertThat(waiting.isStream()).isTrue();
        client.post(Served.cancelled(2)).status();
        assertThat(waiting.messages()).isEmpty();
        gate.countDown();
        assertThat(text(client.ask(GET, token).path("result"))).isEqualTo("done");
    }

    @Test
    void a_question_of_the_call_is_asked_on_the_stream_of_a_wait() {
        var waiting = client.send(GET, token(call(client, "asks")));
        var question = Served.json(waiting.nextMessage());
        assertThat(question.path("method").asString()).isEqualTo("elicitation/create");
        client.answer(question, "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}")
                .status();
        assertThat(Served.resultText(waiting)).isEqualTo("It is Ada");
    }

    @Test
    void a_question_of_the_call_is_asked_on_the_session_s_own_stream_while_nothing_waits() {
        var own = client.get();
        var token = token(call(client, "asks"));
        var question = Served.json(own.nextMessage());
        assertThat(question.path("method").asString()).isEqualTo("elicitation/create");
        client.answer(question, "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}")
                .status();
        assertThat(text(client.ask(GET, token).path("result"))).isEqualTo("It is Ada");
        own.leave();
    }

    @Test
    void at_most_a_hundred_sessions_join_one_call() {
        var token = token(call(served.handshake("2025-06-18"), "waits"));
        for (int i = 1; i < 100; i++) {
            var joined = served.handshake("2025-06-18").ask(JOIN, token);
            assertThat(joined.path("result").path("accepted").asBoolean()).isTrue();
        }
        var error = served.handshake("2025-06-18").ask(JOIN, token).path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32603);
        assertThat(error.path("message").asString()).contains("100 sessions that join one task");
    }

    private MemoryConnection connect(Served served) {
        var connection = served.connect();
        connection.send(Served.request(1, "initialize", INITIALIZE));
        connection.next();
        return connection;
    }

    private Tool stepping(int count) {
        return Tool.define("steps").description("Steps").longRunning().handler((none, task) -> {
            for (int i = 1; i <= count; i++) {
                steps.acquire();
                task.progress(i, count, "step " + i);
            }
            return "done";
        });
    }

    private static String progress(String params, String token) {
        return Served.and(params, PROGRESS.formatted(token));
    }

    private static int step(String message, String token) {
        JsonNode notification = Served.json(message);
        assertThat(notification.path("method").asString()).isEqualTo("notifications/progress");
        assertThat(notification.path("params").path("progressToken").asString()).isEqualTo(token);
        return notification.path("params").path("progress").asInt();
    }

    private static void cancelled(String message, int request) {
        var notification = Served.json(message);
        assertThat(notification.path("method").asString()).isEqualTo("notifications/cancelled");
        assertThat(notification.path("params").path("requestId").asInt()).isEqualTo(request);
        assertThat(notification.path("params").path("reason").asString()).contains("cancelled");
    }
}
