// SPDX-License-Identifier: Apache-2.0
package io.longhaul.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.transport.http.Http;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
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

    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
            + "\"name\":\"slow\",\"arguments\":{}}}";

    private static final String INITIALIZE = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
            + "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
            + "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}";

    private final Http http = Http.onPort(0).polled(Duration.ofMillis(50), Duration.ofMillis(20));

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

    private Map<String, String> session() throws Exception {
        var request = HttpRequest.newBuilder(http.url())
                .header("Accept", "application/json, text/event-stream")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(INITIALIZE))
                .build();
        var opened = web.send(request, HttpResponse.BodyHandlers.ofString());
        return new HashMap<>(Map.of(
                "Mcp-Session-Id",
                opened.headers().firstValue("Mcp-Session-Id").orElseThrow(),
                "MCP-Protocol-Version",
                "2025-11-25"));
    }

    @Test
    void a_call_is_answered_on_the_stream_that_its_client_came_back_to() throws Exception {
        URI address = http.url();
        var headers = session();
        String last;
        try (var stream = EventReader.open(web, address, headers, CALL)) {
            var primed = stream.next().orElseThrow();
            assertThat(primed.data()).isEmpty();
            assertThat(primed.retry()).isEqualTo(20);
            last = primed.id();
            assertThat(stream.next()).isEmpty();
        }
        headers.put("Last-Event-ID", String.valueOf(last));
        try (var again = EventReader.open(web, address, headers, null)) {
            assertThat(again.status()).isEqualTo(200);
            assertThat(again.next().orElseThrow().retry()).isEqualTo(20);
            assertThat(again.next()).isEmpty();
        }
        gate.countDown();
        for (var answered = false; !answered; ) {
            try (var again = EventReader.open(web, address, headers, null)) {
                for (var event = again.next(); event.isPresent(); event = again.next()) {
                    answered |= event.get().data().contains("done");
                }
            }
        }
    }

    @Test
    void a_side_stream_is_let_go_and_taken_up_too() throws Exception {
        var headers = session();
        try (var stream = EventReader.open(web, http.url(), headers, null)) {
            var primed = stream.next().orElseThrow();
            assertThat(primed.retry()).isEqualTo(20);
            headers.put("Last-Event-ID", String.valueOf(primed.id()));
            assertThat(stream.next()).isEmpty();
        }
        try (var again = EventReader.open(web, http.url(), headers, null)) {
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
            try (var stream = EventReader.open(web, http.url(), session(), null)) {
                stream.next();
                assertThat(stream.next()).isEmpty();
            }
            gate.countDown();
            assertThat(outcome.get()).isInstanceOf(CallOutcome.ToolResult.class);
        }
    }
}
