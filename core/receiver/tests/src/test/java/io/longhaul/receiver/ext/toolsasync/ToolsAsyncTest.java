// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.toolsasync;

import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FakeTime;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.server.McpException;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Calls of the {@code tools/async} draft, and how their results are fetched. */
public class ToolsAsyncTest {

    public static final String CALL = "tools/async/call";
    public static final String GET = "tools/async/get";
    public static final String JOIN = "tools/async/join";

    private final CountDownLatch gate = new CountDownLatch(1);

    @AutoClose
    private final Served served = Served.with(Tools.waits(gate), Tools.greet());

    private final Served.Handshake client = served.handshake("2025-06-18");

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "next"})
    void a_call_is_accepted_in_every_session_and_its_result_is_fetched(String version) {
        var client = served.handshake(version);
        var accepted = call(client, "waits");
        assertThat(accepted.path("accepted").asBoolean()).isTrue();
        gate.countDown();
        var result = client.ask(GET, token(accepted)).path("result");
        assertThat(text(result)).isEqualTo("done");
        assertThat(result.has("isPending")).isFalse();
    }

    @Test
    void the_capability_and_the_long_tools_are_announced() {
        var connection = served.connect();
        connection.send(Served.request(1, "initialize", INITIALIZE));
        var capabilities = Served.json(connection.next()).path("result").path("capabilities");
        assertThat(capabilities.path("async").path("maxKeepAliveTime").asLong()).isEqualTo(7 * 24 * 3_600);
        connection.send(Served.request(2, "tools/list", "{}"));
        for (var tool : Served.json(connection.next()).path("result").path("tools")) {
            boolean isLong = tool.path("name").asString().equals("waits");
            assertThat(tool.path("annotations").path("preferAsync").asBoolean(false))
                    .isEqualTo(isLong);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-03-26", "2025-06-18", "2025-11-25", "next"})
    void each_long_tool_and_no_other_is_best_called_so_in_every_version_with_annotations(String version) {
        try (var served = Served.with(Tools.waits(gate), Tools.asks(), Tools.greet())) {
            var preferring = new TreeSet<String>();
            for (var tool : served.handshake(version)
                    .ask("tools/list", "{}")
                    .path("result")
                    .path("tools")) {
                if (tool.path("annotations").path("preferAsync").asBoolean(false)) {
                    preferring.add(tool.path("name").asString());
                }
            }
            assertThat(preferring).containsExactly("asks", "waits");
        }
    }

    @Test
    void a_server_without_long_tools_does_not_announce_the_capability() {
        try (var served = Served.with(Tools.greet())) {
            var connection = served.connect();
            connection.send(Served.request(1, "initialize", INITIALIZE));
            assertThat(Served.json(connection.next())
                            .path("result")
                            .path("capabilities")
                            .has("async"))
                    .isFalse();
        }
    }

    @Test
    void the_time_of_receipt_is_told_in_unix_seconds() {
        var time = new FakeTime();
        try (var served = Served.with(time, Tools.waits(gate))) {
            var accepted = call(served.handshake("2025-06-18"), "waits");
            assertThat(accepted.path("_meta").path("io.longhaul/received").asLong())
                    .isEqualTo(FakeTime.START.getEpochSecond());
        }
    }

    @Test
    void a_keep_alive_that_is_too_long_is_cut_and_one_that_is_too_short_raised_and_the_real_one_is_told() {
        assertThat(keepAlive(client, 7_200)).isEqualTo(7_200);
        assertThat(keepAlive(client, 100_000_000)).isEqualTo(7 * 24 * 3_600);
        assertThat(keepAlive(client, 1)).isEqualTo(60);
    }

    @Test
    void a_wait_with_a_timeout_is_pending_when_that_is_over() throws Exception {
        var time = new FakeTime();
        try (var served = Served.with(time, Tools.waits(gate))) {
            var client = served.handshake("2025-06-18");
            var accepted = call(client, "waits");
            var waiting = client.send(GET, Served.and(token(accepted), "\"timeout\":20"));
            time.awaitAlarmWithin(java.time.Duration.ofSeconds(20));
            time.advance(java.time.Duration.ofSeconds(20));
            var result = Served.json(waiting.response()).path("result");
            assertThat(result.path("isPending").asBoolean()).isTrue();
            assertThat(result.path("content").isArray()).isTrue();
        }
    }

    @Test
    void a_look_without_a_wait_is_answered_at_once() {
        var accepted = call(client, "waits");
        var result =
                client.ask(GET, Served.and(token(accepted), "\"timeout\":0")).path("result");
        assertThat(result.path("isPending").asBoolean()).isTrue();
    }

    @Test
    void a_wait_without_a_timeout_ends_with_its_session() {
        var waiting = client.send(GET, token(call(client, "waits")));
        assertThat(waiting.isStream()).isTrue();
        client.delete().status();
        assertThat(waiting.messages()).noneMatch(message -> message.contains("result"));
    }

    @Test
    void too_many_waits_at_once_in_a_session_are_refused() {
        var token = token(call(client, "waits"));
        var waiting =
                IntStream.range(0, 100).mapToObj(i -> client.send(GET, token)).toList();
        waiting.forEach(reply -> assertThat(reply.isStream()).isTrue());
        var error = client.ask(GET, token).path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32603);
        assertThat(error.path("message").asString()).contains("100 requests that wait for results");
        gate.countDown();
        assertThat(text(Served.json(waiting.getFirst().response()).path("result")))
                .isEqualTo("done");
    }

    @Test
    void a_result_can_be_fetched_more_than_once() {
        var token = token(call(client, "waits"));
        gate.countDown();
        assertThat(text(client.ask(GET, token).path("result"))).isEqualTo("done");
        assertThat(text(client.ask(GET, token).path("result"))).isEqualTo("done");
    }

    @Test
    void an_error_of_the_tool_is_its_result_and_an_error_of_the_protocol_that_error() {
        try (var served = Served.with(Tools.fails(), Tools.breaks())) {
            var client = served.handshake("2025-11-25");
            var failed = client.ask(GET, token(call(client, "fails"))).path("result");
            assertThat(failed.path("isError").asBoolean()).isTrue();
            assertThat(text(failed)).isEqualTo("it did not work");
            var broken = client.ask(GET, token(call(client, "breaks"))).path("error");
            assertThat(broken.path("message").asString()).isEqualTo("out of paper");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"asks", "roots", "refuses"})
    void a_call_that_has_to_ask_who_cannot_be_asked_or_is_wrong_has_a_result_with_an_error(String tool) {
        var refuses = Tool.define("refuses").longRunning().handler((none, task) -> {
            throw new McpException(-32602, "There is no such folder");
        });
        try (var served = Served.with(Tools.asks(), longRoots(), refuses)) {
            var client = served.handshake("2025-06-18", "{}");
            var token = token(call(client, tool));
            var result = client.ask(GET, token).path("result");
            assertThat(result.path("isError").asBoolean()).isTrue();
            assertThat(text(result)).containsAnyOf("did not declare that it can be asked", "There is no such folder");
        }
    }

    private static Tool longRoots() {
        return Tool.define("roots")
                .longRunning()
                .handler((none, task) -> task.listRoots().getFirst().uri());
    }

    @Test
    void a_call_of_2026_that_could_not_be_asked_has_a_result_with_an_error() {
        try (var served = Served.with(longRoots())) {
            var other = served.stateless("{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}");
            var id = other.ask("tools/call", Served.call("roots", "{}")).at("/result/taskId");
            var result = served.handshake("2025-06-18")
                    .ask(GET, "{\"token\":" + id + "}")
                    .path("result");
            assertThat(result.path("isError").asBoolean()).isTrue();
        }
    }

    @Test
    void a_call_that_is_not_accepted_has_a_token_under_which_its_caller_can_fetch_the_reason() {
        for (var tool : new String[] {"greet", "nothing"}) {
            var rejected = call(client, tool);
            assertThat(rejected.path("accepted").asBoolean(true)).isFalse();
            assertThat(rejected.path("keepAlive").asLong()).isEqualTo(3_600);
            var reason = client.ask(GET, token(rejected)).path("result");
            assertThat(reason.path("isError").asBoolean()).isTrue();
            assertThat(text(reason)).contains(tool);
            var others = served.handshake("2025-06-18", Served.BOB)
                    .ask(GET, token(rejected))
                    .path("result");
            assertThat(text(others)).doesNotContain(tool).contains("not found");
        }
    }

    @Test
    void the_reason_of_a_rejected_call_outlives_the_process_and_is_forgotten_in_time() {
        var time = new FakeTime();
        try (var served = Served.with(time, Tools.waits(gate))) {
            var client = served.handshake("2025-06-18");
            var rejected = call(client, "nothing");
            served.restart();
            assertThat(text(client.ask(GET, token(rejected)).path("result"))).contains("nothing");
            time.advance(java.time.Duration.ofHours(1));
            var again = served.handshake("2025-06-18").ask(GET, token(rejected));
            assertThat(text(again.path("result"))).contains("not found");
        }
    }

    @Test
    void the_token_is_no_authorization() {
        var token = token(call(served.handshake("2025-06-18"), "waits"));
        var bob = served.handshake("2025-06-18", Served.BOB);
        var gotten = bob.ask(GET, token).path("result");
        assertThat(gotten.path("isError").asBoolean()).isTrue();
        assertThat(text(gotten)).contains("not found");
        assertThat(bob.ask(JOIN, token).path("error").path("code").asInt()).isEqualTo(-32602);
    }

    @Test
    void where_nobody_is_known_the_token_is_the_only_key() {
        var anybody = new Principal("anonymous", Principal.Kind.ANONYMOUS);
        var token = token(call(served.handshake("2025-06-18", anybody), "waits"));
        var joined = served.handshake("2025-06-18", anybody).ask(JOIN, token);
        assertThat(joined.path("result").path("accepted").asBoolean()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"token\":7}",
                "{\"token\":\"7\"}",
                "{\"token\":-1}",
                "{\"token\":98765432109876543210}",
                "{\"token\":-98765432109876543210}"
            })
    void a_token_that_we_never_gave_is_read_whatever_its_size_and_unknown(String params) {
        var result = served.handshake("2025-06-18").ask(GET, params).path("result");
        assertThat(result.path("isError").asBoolean()).isTrue();
        assertThat(text(result)).contains("not found");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"token\":null}",
                "{\"token\":1.5}",
                "{\"token\":\"t\",\"timeout\":-1}",
                "{\"token\":\"t\",\"timeout\":\"soon\"}"
            })
    void malformed_params_are_refused(String params) {
        var error = served.handshake("2025-06-18").ask(GET, params).path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32602);
    }

    @Test
    void a_token_of_more_than_1024_characters_is_refused() {
        var long1024 = client.ask(GET, "{\"token\":\"" + "t".repeat(1_024) + "\"}");
        assertThat(long1024.path("result").path("isError").asBoolean()).isTrue();
        var longer = client.ask(GET, "{\"token\":\"" + "t".repeat(1_025) + "\"}");
        assertThat(longer.path("error").path("message").asString()).contains("longer than 1024");
    }

    public static final String INITIALIZE = "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},"
            + "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}";

    /** The result of a call. */
    public static JsonNode call(Served.Handshake client, String tool) {
        return client.ask(CALL, Served.call(tool, "{}")).path("result");
    }

    /** Params with the token of a call. */
    public static String token(JsonNode accepted) {
        return "{\"token\":" + accepted.path("token") + "}";
    }

    private static long keepAlive(Served.Handshake client, long wanted) {
        var params = Served.and(Served.call("waits", "{}"), "\"keepAlive\":" + wanted);
        return client.ask(CALL, params).path("result").path("keepAlive").asLong();
    }
}
