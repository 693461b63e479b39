// SPDX-License-Identifier: Apache-2.0
package io.longhaul.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.testkit.talk.Messages;
import io.longhaul.testkit.talk.WebRequests;
import io.longhaul.transport.http.Http;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that holds no stream for long (SEP-1699). */
@Timeout(60)
class PollingTest extends HttpFixture {

    private static final String VERSION = "2025-11-25";
    private static final String CALL = Messages.request(1, "tools/call", Messages.call("slow", "{}"));
    private static final String INITIALIZE = Messages.request(0, "initialize", Messages.opening(VERSION, "{}"));

    private final Http http = Http.onPort(0).polled(Duration.ofMillis(50), Duration.ofMillis(20));
    private final WebRequests web = new WebRequests(http::url, Map.of());

    @BeforeEach
    void serve() {
        serve(
                McpServer.builder("polled", "1.0")
                        .tool(Tool.define("slow").longRunning(options -> {}).handler((input, task) -> {
                            gate.await();
                            return "done";
                        })),
                http);
    }

    private Map<String, String> session() {
        var opened = web.post(INITIALIZE, Map.of());
        return new HashMap<>(Map.of(
                "Mcp-Session-Id", opened.header("Mcp-Session-Id").orElseThrow(), "MCP-Protocol-Version", VERSION));
    }

    @Test
    void a_call_is_answered_on_the_stream_that_its_client_came_back_to() throws Exception {
        var headers = session();
        String last;
        try (var stream = web.post(CALL, headers)) {
            var primed = stream.next().orElseThrow();
            assertThat(primed.data()).isEmpty();
            assertThat(primed.retry()).isEqualTo(Duration.ofMillis(20));
            last = primed.id();
            assertThat(stream.next()).isEmpty();
        }
        headers.put("Last-Event-ID", String.valueOf(last));
        try (var again = web.get(headers)) {
            assertThat(again.status()).isEqualTo(200);
            assertThat(again.next().orElseThrow().retry()).isEqualTo(Duration.ofMillis(20));
            assertThat(again.next()).isEmpty();
        }
        gate.countDown();
        for (var answered = false; !answered; ) {
            try (var again = web.get(headers)) {
                for (var event = again.next(); event.isPresent(); event = again.next()) {
                    answered |= event.get().data().contains("done");
                }
            }
        }
    }

    @Test
    void a_side_stream_is_let_go_and_taken_up_too() throws Exception {
        var headers = session();
        try (var stream = web.get(headers)) {
            var primed = stream.next().orElseThrow();
            assertThat(primed.retry()).isEqualTo(Duration.ofMillis(20));
            headers.put("Last-Event-ID", String.valueOf(primed.id()));
            assertThat(stream.next()).isEmpty();
        }
        try (var again = web.get(headers)) {
            assertThat(again.next().orElseThrow().id()).isEqualTo(headers.get("Last-Event-ID"));
        }
    }

    @Test
    void our_own_client_does_not_notice() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                var client = McpClient.to(http.url())
                        .generation(Generation.V2025_11_25)
                        .connect()) {
            var outcome =
                    threads.submit(() -> client.call("slow", Json.raw("{}")).await());
            try (var stream = web.get(session())) {
                stream.next();
                assertThat(stream.next()).isEmpty();
            }
            gate.countDown();
            assertThat(outcome.get()).isInstanceOf(CallOutcome.ToolResult.class);
        }
    }
}
