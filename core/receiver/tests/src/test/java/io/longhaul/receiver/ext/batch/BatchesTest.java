// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.MemoryReply;
import io.longhaul.server.OneHandlerEveryGenerationTest;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Several messages in one array: "implementations [...] MUST support receiving JSON-RPC batches" (2025-03-26). */
class BatchesTest {

    private static final String VERSION = "2025-03-26";
    private static final String PROGRESS = "\"_meta\":{\"progressToken\":\"p\"}";

    private static String batch(String... messages) {
        return "[" + String.join(",", messages) + "]";
    }

    private static String ping(int id) {
        return Served.request(id, "ping", "{}");
    }

    private static List<JsonNode> answers(MemoryReply reply) {
        var answers = new ArrayList<JsonNode>();
        reply.messages().forEach(message -> {
            var json = Served.json(message);
            if (json.isArray()) {
                json.forEach(answers::add);
            } else {
                answers.add(json);
            }
        });
        return answers;
    }

    private static JsonNode answer(List<JsonNode> answers, int id) {
        return answers.stream()
                .filter(answer -> answer.path("id").asInt(-1) == id && !answer.has("method"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void each_request_is_answered_in_one_array() {
        try (var served = Served.with(Tools.greet())) {
            var reply = served.handshake(VERSION)
                    .post(batch(
                            ping(1),
                            Served.notification("notifications/initialized", "{}"),
                            Served.request(2, "tools/call", Served.call("greet", Tools.NAME))));
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.isStream()).isFalse();
            var answers = answers(reply);
            assertThat(answers).hasSize(2);
            assertThat(answer(answers, 1).path("result").isEmpty()).isTrue();
            assertThat(answer(answers, 2).path("result").toString()).contains("Hello, Ada!");
        }
    }

    @Test
    void what_asks_for_no_answer_gets_none() {
        try (var served = Served.with()) {
            var reply = served.handshake(VERSION)
                    .post(batch(
                            Served.notification("notifications/initialized", "{}"),
                            Served.notification("notifications/roots/list_changed", "{}")));
            assertThat(reply.status()).isEqualTo(202);
            assertThat(reply.messages()).isEmpty();
        }
    }

    @Test
    void requests_are_answered_at_the_same_time() {
        var both = new CyclicBarrier(2);
        var meets = Tool.define("meets").handler((none, task) -> {
            both.await();
            return "met";
        });
        try (var served = Served.with(meets)) {
            var answers = answers(served.handshake(VERSION)
                    .post(batch(
                            Served.request(1, "tools/call", Served.call("meets", "{}")),
                            Served.request(2, "tools/call", Served.call("meets", "{}")))));
            assertThat(answers)
                    .hasSize(2)
                    .allSatisfy(answer -> assertThat(answer.toString()).contains("met"));
        }
    }

    @Test
    void where_one_has_something_to_tell_before_its_answer_all_are_answered_on_one_stream() {
        var gate = new CountDownLatch(1);
        try (var served = Served.with(Tools.waits(gate), Tools.greet())) {
            var reply = served.handshake(VERSION)
                    .post(batch(
                            Served.request(1, "tools/call", Served.and(Served.call("waits", "{}"), PROGRESS)),
                            Served.request(2, "tools/call", Served.call("greet", Tools.NAME))));
            assertThat(reply.isStream()).isTrue();
            var seen = List.of(reply.next().orElseThrow(), reply.next().orElseThrow());
            gate.countDown();
            assertThat(seen).allSatisfy(event -> assertThat(event.id()).isNull());
            assertThat(seen)
                    .extracting(MemoryReply.Event::data)
                    .anySatisfy(data -> assertThat(data).contains("notifications/progress"))
                    .anySatisfy(data -> assertThat(data).contains("Hello, Ada!"));
            assertThat(answers(reply)).singleElement().satisfies(answer -> {
                assertThat(answer.path("id").asInt()).isEqualTo(1);
                assertThat(answer.toString()).contains("done");
            });
        }
    }

    @Test
    void questions_are_answered_in_a_batch_too() {
        try (var served = Served.with(Tools.roots())) {
            var client = served.handshake(VERSION);
            var reply = client.post(batch(
                    Served.request(1, "tools/call", Served.call("roots", "{}")),
                    Served.request(2, "tools/call", Served.call("roots", "{}"))));
            var answers = List.of(reply.nextMessage(), reply.nextMessage()).stream()
                    .map(question -> "{\"jsonrpc\":\"2.0\",\"id\":"
                            + Served.json(question).path("id") + ",\"result\":{\"roots\":[{\"uri\":\"file:///a\"}]}}")
                    .toList();
            assertThat(client.post("[" + String.join(",", answers) + "]").status())
                    .isEqualTo(202);
            assertThat(answers(reply))
                    .hasSize(2)
                    .allSatisfy(answer -> assertThat(answer.toString()).contains("file:///a"));
        }
    }

    @Test
    void a_call_is_cancelled_by_a_later_message_of_its_batch() {
        var never = new CountDownLatch(1);
        try (var served = Served.with(Tools.waits(never))) {
            var reply = served.handshake(VERSION)
                    .post(batch(
                            Served.request(1, "tools/call", Served.call("waits", "{}")), Served.cancelled(1), ping(2)));
            assertThat(answers(reply))
                    .singleElement()
                    .satisfies(answer -> assertThat(answer.path("id").asInt()).isEqualTo(2));
        }
    }

    @Test
    void what_is_no_message_is_refused_for_itself() {
        try (var served = Served.with()) {
            var client = served.handshake(VERSION);
            var reply = client.post(batch("1", "{\"jsonrpc\":\"1.0\",\"id\":3,\"method\":\"ping\"}", "[]", ping(4)));
            assertThat(reply.status()).isEqualTo(200);
            var answers = answers(reply);
            assertThat(answers).hasSize(4);
            assertThat(answer(answers, 3).path("error").path("code").asInt()).isEqualTo(-32600);
            assertThat(answer(answers, 4).has("result")).isTrue();
            assertThat(client.post("[1]").status()).isEqualTo(400);
        }
    }

    @Test
    void a_session_is_not_opened_in_a_batch() {
        try (var served = Served.with()) {
            var params = "{\"protocolVersion\":\"" + VERSION
                    + "\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}";
            var answers =
                    answers(served.handshake(VERSION).post(batch(Served.request(1, "initialize", params), ping(2))));
            assertThat(answer(answers, 1).path("error").path("message").asString())
                    .contains("must not be part of a batch");
            assertThat(answer(answers, 2).has("result")).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-06-18", "2025-11-25"})
    void other_versions_have_no_batches(String version) {
        try (var served = Served.with()) {
            var reply = served.handshake(version).post(batch(ping(1), ping(2)));
            assertThat(reply.status()).isEqualTo(400);
            var error = Served.json(reply.response()).path("error");
            assertThat(error.path("code").asInt()).isEqualTo(-32600);
            assertThat(error.path("message").asString()).contains("send one message");
            assertThat(reply.messages()).isEmpty();
        }
    }

    @Test
    void without_a_session_there_are_none() {
        try (var served = Served.with()) {
            var reply = served.transport().post(Served.ALICE, batch(ping(1)), Map.of());
            assertThat(reply.status()).isEqualTo(400);
        }
    }

    @Test
    void a_dead_session_is_told_as_for_any_message() {
        try (var served = Served.with()) {
            var client = served.handshake(VERSION);
            client.delete().status();
            assertThat(client.post(batch(ping(1))).status()).isEqualTo(404);
        }
    }

    @Test
    void over_a_connection_the_answers_come_on_one_line_behind_what_is_told_before() {
        var gate = new CountDownLatch(1);
        try (var served = Served.with(Tools.waits(gate));
                var client = served.connect()) {
            client.send(OneHandlerEveryGenerationTest.initialize().replaceFirst("\\d{4}-\\d\\d-\\d\\d", VERSION));
            client.next();
            client.send(batch(
                    Served.request(7, "tools/call", Served.and(Served.call("waits", "{}"), PROGRESS)), ping(8)));
            assertThat(client.next()).contains("notifications/progress");
            gate.countDown();
            var answers = Served.json(client.next());
            assertThat(answers.isArray()).isTrue();
            assertThat(answers).hasSize(2);
            assertThat(answer(List.of(answers.get(0), answers.get(1)), 7).toString())
                    .contains("done");
        }
    }
}
