// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FakeTime;
import io.longhaul.protocol.WireLimits;
import io.longhaul.server.OneHandlerEveryGenerationTest;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import io.longhaul.server.WhenRepeated;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions of the handshake era, and requests within them. */
class SessionsTest {

    private static final String LISTEN = "{\"notifications\":{\"toolsListChanged\":true},\"_meta\":{"
            + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"t\",\"version\":\"1\"},"
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}}";

    private static final WireLimits FEW = new WireLimits(4 << 20, 64, 3, Duration.ofMinutes(10), 10);

    /** Works until it is interrupted, and tells more when it is cancelled. */
    private static Tool sleeps(CountDownLatch started, CountDownLatch stopped) {
        return Tool.define("sleeps").description("Sleeps").handler((none, task) -> {
            started.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                if (task.isCancelled()) {
                    task.progress(1, "late");
                    task.log("error", "late");
                    stopped.countDown();
                }
            }
            return "never";
        });
    }

    @Test
    void a_request_without_a_session_is_400_and_one_of_a_dead_session_404() {
        try (var served = Served.with(Tools.greet())) {
            var bare = served.transport().post(Served.ALICE, Served.request(1, "tools/list", "{}"), Map.of());
            assertThat(bare.status()).isEqualTo(400);
            var client = served.handshake("2025-11-25");
            assertThat(client.delete().status()).isEqualTo(204);
            assertThat(client.send("tools/list", "{}").status()).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2024-11-05, 2024-11-05",
        "2025-03-26, 2025-03-26",
        "2025-06-18, 2025-06-18",
        "2025-11-25, 2025-11-25",
        "next, next",
        "2024-01-01, 2025-11-25",
        "2026-07-28, 2025-11-25"
    })
    void a_session_agrees_on_the_version_of_the_client_or_on_our_latest(String wanted, String agreed) {
        try (var served = Served.with(Tools.greet())) {
            var opened = served.transport().post(Served.ALICE, Served.initialize(wanted, "{}"), Map.of());
            assertThat(Served.json(opened.response())
                            .at("/result/protocolVersion")
                            .asString())
                    .isEqualTo(agreed);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[]",
                "1",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":1,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":98765432109876543210,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":\"a\"}}"
            })
    void a_message_that_cannot_be_accepted_is_an_error_without_an_id(String body) {
        try (var served = Served.with(Tools.greet())) {
            var refused = served.transport().post(Served.ALICE, body, Map.of());
            assertThat(refused.status()).isEqualTo(400);
            var error = Served.json(refused.response());
            assertThat(error.path("id").isNull()).isTrue();
            assertThat(error.path("error").path("code").asInt()).isBetween(-32700, -32600);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jsonrpc\":\"1.0\",\"id\":7,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":5}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":[1]}",
                "{\"jsonrpc\":\"2.0\",\"id\":7}"
            })
    void a_broken_request_is_refused_under_its_id(String body) {
        try (var served = Served.with(Tools.greet())) {
            var refused = Served.json(
                    served.transport().post(Served.ALICE, body, Map.of()).response());
            assertThat(refused.path("id").asInt()).isEqualTo(7);
            assertThat(refused.path("error").path("code").asInt()).isIn(-32600, -32602);
        }
    }

    @Test
    void deleting_a_session_leaves_its_tasks_alone() {
        try (var served = Served.with(Tools.waits(new CountDownLatch(1)))) {
            var client = served.handshake("2025-11-25");
            client.ask("tools/call", Served.and(Served.call("waits", "{}"), "\"task\":{}"));
            client.delete().status();
            var tasks = served.handshake("2025-11-25")
                    .ask("tasks/list", "{}")
                    .path("result")
                    .path("tasks");
            assertThat(tasks.path(0).path("status").asString()).isEqualTo("working");
        }
    }

    @Test
    void an_idle_session_is_evicted_and_one_in_use_is_not() {
        var time = new FakeTime();
        try (var served = Served.with(server -> server.wireLimits(FEW).time(time), Tools.greet())) {
            var idle = served.handshake("2025-11-25");
            var used = served.handshake("2025-11-25");
            for (int i = 0; i < 3; i++) {
                time.advance(Duration.ofMinutes(4));
                assertThat(used.send("ping", "{}").status()).isEqualTo(200);
            }
            assertThat(idle.send("ping", "{}").status()).isEqualTo(404);
        }
    }

    @Test
    void a_flood_of_sessions_pushes_out_the_one_that_was_used_the_longest_ago() {
        try (var served = Served.with(server -> server.wireLimits(FEW), Tools.greet())) {
            var first = served.handshake("2025-11-25");
            var second = served.handshake("2025-11-25");
            var third = served.handshake("2025-11-25");
            first.send("ping", "{}").status();
            served.handshake("2025-11-25");
            assertThat(second.send("ping", "{}").status()).isEqualTo(404);
            assertThat(first.send("ping", "{}").status()).isEqualTo(200);
            assertThat(third.send("ping", "{}").status()).isEqualTo(200);
        }
    }

    @Test
    void session_ids_are_visible_ascii_and_never_the_same() {
        try (var served = Served.with(Tools.greet())) {
            var ids = new HashSet<String>();
            for (int i = 0; i < 50; i++) {
                var opened =
                        served.transport().post(Served.ALICE, OneHandlerEveryGenerationTest.initialize(), Map.of());
                String id = opened.header("Mcp-Session-Id").orElseThrow();
                assertThat(id).matches("[!-~]{22,}");
                assertThat(ids.add(id)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "notifications/initialized",
                "notifications/cancelled",
                "notifications/progress",
                "notifications/roots/list_changed"
            })
    void a_notification_with_an_id_is_an_invalid_request(String method) {
        try (var served = Served.with(Tools.greet());
                var client = served.connect()) {
            var refused = served.handshake("2025-06-18").send(method, "{\"requestId\":1}");
            assertThat(refused.status()).isEqualTo(400);
            client.send(OneHandlerEveryGenerationTest.initialize());
            client.next();
            client.send(Served.request(7, method, "{\"requestId\":1}"));
            for (var response : List.of(Served.json(refused.response()), Served.json(client.next()))) {
                assertThat(response.path("error").path("code").asInt()).isEqualTo(-32600);
                assertThat(response.path("error").path("message").asString()).startsWith(method + " is a notification");
            }
            var stateless = served.stateless("{}").ask(method, "{\"requestId\":1}");
            assertThat(stateless.path("error").path("code").asInt()).isEqualTo(-32600);
        }
    }

    @Test
    void an_id_that_is_in_flight_is_refused_and_the_first_request_goes_on() {
        var gate = new CountDownLatch(1);
        try (var served = Served.with(Tools.waits(gate));
                var client = served.connect()) {
            client.send(OneHandlerEveryGenerationTest.initialize());
            client.next();
            client.send(Served.request(7, "tools/call", Served.call("waits", "{}")));
            client.send(Served.request(7, "ping", "{}"));
            assertThat(Served.json(client.next()).path("error").path("code").asInt())
                    .isEqualTo(-32600);
            gate.countDown();
            assertThat(client.next()).contains("done");
        }
    }

    @Test
    void at_the_end_of_its_input_a_connection_waits_for_nothing_that_only_a_message_could_end() {
        var asks = Tool.define("asks_at_once")
                .handler((none, task) -> task.elicit("Who?", Tools.Name.class).accepted());
        try (var served = Served.with(asks, Tools.greet());
                var client = served.connect()) {
            client.send(OneHandlerEveryGenerationTest.initialize());
            client.next();
            client.send(Served.request(1, "subscriptions/listen", LISTEN));
            assertThat(client.next()).contains("notifications/subscriptions/acknowledged");
            client.send(Served.request(2, "tools/call", Served.call("asks_at_once", "{}")));
            assertThat(client.next()).contains("Who?");
            client.send(Served.request(3, "tools/call", Served.call("greet", Tools.NAME)));
            assertThat(client.next()).contains("Hello, Ada!");

            client.endInput();

            var last = Set.of(Served.json(client.next()), Served.json(client.next()), Served.json(client.next()));
            assertThat(last).anyMatch(message -> message.path("id").asInt() == 1 && message.has("result"));
            assertThat(last).anyMatch(message -> message.path("id").asInt() == 2 && message.has("error"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "notifications/initialized|{}",
                "notifications/cancelled|{}",
                "notifications/cancelled|{\"requestId\":null}",
                "notifications/cancelled|{\"requestId\":{}}",
                "notifications/cancelled|{\"requestId\":99,\"reason\":7}",
                "notifications/progress|{\"progressToken\":\"unknown\",\"progress\":\"x\"}",
                "notifications/unheard_of|{}",
                "tools/call|{\"name\":\"greet\"}"
            })
    void a_notification_is_not_answered_whatever_it_says(String method, String params) {
        try (var served = Served.with(Tools.greet());
                var client = served.connect()) {
            var posted = served.handshake("2025-06-18").post(Served.notification(method, params));
            assertThat(posted.status()).isEqualTo(202);
            assertThat(posted.messages()).isEmpty();
            client.send(OneHandlerEveryGenerationTest.initialize());
            client.next();
            client.send(Served.notification(method, params));
            Served.assertSaysNothingMore(client);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-11-25", "2026-07-28"})
    void a_cancelled_plain_call_gets_no_message_any_more_and_its_work_stops(String version) throws Exception {
        boolean stateless = version.equals("2026-07-28");
        String meta = !stateless
                ? "{\"progressToken\":7}"
                : "{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                        + "\"io.modelcontextprotocol/clientCapabilities\":{},"
                        + "\"io.modelcontextprotocol/logLevel\":\"debug\",\"progressToken\":7}";
        var stopped = new CountDownLatch(1);
        var started = new CountDownLatch(1);
        var tool = sleeps(started, stopped);
        try (var served = Served.with(tool);
                var client = served.connect()) {
            if (!stateless) {
                client.send(OneHandlerEveryGenerationTest.initialize());
                client.next();
            }
            String call = Served.and(Served.call("sleeps", "{}"), "\"_meta\":" + meta);
            client.send(Served.request(7, "tools/call", call));
            started.await();
            client.send(Served.cancelled(99));
            client.send(Served.cancelled(7));
            stopped.await();
            client.send(Served.cancelled(7));
            client.send(Served.request(8, "tools/list", "{\"_meta\":" + meta + "}"));
            assertThat(Served.json(client.next()).path("id").asInt()).isEqualTo(8);
        }
    }

    @Test
    void a_quick_call_that_takes_long_is_a_stream_so_that_closing_it_cancels() throws Exception {
        var started = new CountDownLatch(1);
        var stopped = new CountDownLatch(1);
        var tool = sleeps(started, stopped);
        var time = new FakeTime();
        try (var served = Served.with(time, tool)) {
            var reply = served.stateless("{}").send("tools/call", Served.call("sleeps", "{}"));
            time.awaitAlarmWithin(Duration.ofSeconds(2));
            started.await();
            time.advance(Duration.ofSeconds(2));
            assertThat(reply.isStream()).isTrue();
            reply.leave();
            stopped.await();
        }
    }

    @Test
    void a_cancelled_call_of_a_long_tool_cancels_its_task_also_after_its_stream_broke() {
        try (var served = Served.with(Tools.waits(new CountDownLatch(1)))) {
            var client = served.handshake("2025-11-25");
            var reply = client.send("tools/call", Served.call("waits", "{}"));
            reply.next();
            reply.leave();
            client.post(Served.cancelled(1)).status();
            var watcher = served.stateless(Served.TASKS);
            String id = client.onlyTask();
            assertThat(statusOf(watcher, id)).isEqualTo("cancelled");
        }
    }

    @Test
    void a_call_whose_stream_broke_is_cancelled_by_its_id_however_many_tasks_its_owner_has_made_since() {
        var quick = Tool.define("ends").longRunning().handler((none, task) -> "done");
        var gate = new CountDownLatch(1);
        var waits = Tool.define("waits")
                .longRunning(options -> options.whenRepeated(WhenRepeated.RUN))
                .handler((none, task) -> {
                    task.progress(1, 2, "half");
                    gate.await();
                    return "done";
                });
        try (var served = Served.with(waits, quick)) {
            var client = served.handshake("2025-11-25");
            var other = served.handshake("2025-11-25");
            breakCall(client);
            var first = working(other);
            breakCall(client);
            for (int i = 0; i < 1_001; i++) {
                other.ask("tools/call", Served.call("ends", "{}"));
            }
            other.post(Served.cancelled(2)).status();
            assertThat(working(client)).hasSize(2).containsAll(first);
            client.post(Served.cancelled(2)).status();
            assertThat(working(client)).isEqualTo(first);
            client.post(Served.cancelled(1)).status();
            assertThat(statusOf(served.stateless(Served.TASKS), first.getFirst()))
                    .isEqualTo("cancelled");
        }
    }

    private static void breakCall(Served.Handshake client) {
        var reply =
                client.send("tools/call", Served.and(Served.call("waits", "{}"), "\"_meta\":{\"progressToken\":1}"));
        reply.nextMessage();
        reply.leave();
    }

    /** The tasks that work, found page by page. */
    private static List<String> working(Served.Handshake client) {
        List<String> working = new ArrayList<>();
        String params = "{}";
        while (true) {
            var page = client.ask("tasks/list", params).path("result");
            page.path("tasks")
                    .valueStream()
                    .filter(task -> task.path("status").asString().equals("working"))
                    .forEach(task -> working.add(task.path("taskId").asString()));
            if (!page.has("nextCursor")) {
                return working;
            }
            params = "{\"cursor\":" + page.path("nextCursor") + "}";
        }
    }

    private static String statusOf(Served.Stateless watcher, String id) {
        return OneHandlerEveryGenerationTest.awaitStatus(watcher, id, "cancelled")
                .path("status")
                .asString();
    }
}
