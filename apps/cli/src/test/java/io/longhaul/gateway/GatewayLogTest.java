// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.longhaul.client.McpClient;
import io.longhaul.fakes.Blocking;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.server.LogLines;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.testkit.LocalHttp;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the log of a gateway says to the people who wrote its file. */
@Timeout(60)
class GatewayLogTest {

    private final CountDownLatch listed = new CountDownLatch(3);

    @Test
    void a_tool_that_is_closed_to_most_hosts_is_told_with_the_word_of_the_file_that_opens_it() throws Exception {
        var http = Http.onPort(0);
        try (var log = new LogLines("io.longhaul");
                var behind = McpServer.builder("behind", "1")
                        .store(new MemoryTaskStore())
                        .tool(Tool.define("strict")
                                .longRunning(options -> options.taskOnly())
                                .handler((none, task) -> "done"))
                        .serve(http);
                var gateway = Gateway.to(new MemoryTaskStore(), Upstream.at("tests", http.url()));
                var server = gateway.serve(McpServer.builder("gateway", "1"), Http.onPort(0))) {
            gateway.awaitUpstreams(Duration.ofMinutes(1));
            assertThat(log.all())
                    .extracting(line -> line.getFormattedMessage())
                    .filteredOn(line -> line.contains("upstream tests is closed to clients"))
                    .singleElement()
                    .asString()
                    .contains("long: [strict]")
                    .doesNotContain("taskOnly")
                    .doesNotContain("longRunning");
            assertThat(log.all())
                    .as("the server behind says so, and the gateway does not")
                    .filteredOn(line -> line.getFormattedMessage().contains("taskOnly"))
                    .hasSize(1);
        }
    }

    @Test
    void no_tool_is_missed_at_a_server_that_has_not_answered_yet() throws Exception {
        var asked = new CountDownLatch(1);
        var end = new CountDownLatch(1);
        try (var log = new LogLines("io.longhaul.gateway.feature.ServedFeatures");
                var silent = new LocalHttp("/", exchange -> {
                    asked.countDown();
                    Blocking.await(end);
                });
                var gateway = Gateway.to(
                        new MemoryTaskStore(),
                        Upstream.at("silent", URI.create(silent.origin() + "/mcp"))
                                .longTools("pay"));
                var server = gateway.serve(McpServer.builder("gateway", "1"), Http.onPort(0))) {
            asked.await();
            assertThat(log.all()).isEmpty();
            end.countDown();
        }
    }

    @Test
    void that_a_server_cannot_list_what_it_declares_is_told_once() throws Exception {
        try (var log = new LogLines("io.longhaul.client.list.Listings");
                var lowLevel = new LocalHttp("/", this::answer);
                var client =
                        McpClient.to(URI.create(lowLevel.origin() + "/mcp")).connect()) {
            assertThat(client.resources().templates()).isEmpty();
            assertThat(client.resources().templates()).isEmpty();
            assertThat(log.all()).hasSize(1);
        }
    }

    @Test
    void a_gateway_that_lists_again_and_again_tells_it_once() throws Exception {
        try (var log = new LogLines("io.longhaul.client.list.Listings");
                var lowLevel = new LocalHttp("/", this::answer);
                var gateway = Gateway.to(
                        new MemoryTaskStore(), Upstream.at("low-level", URI.create(lowLevel.origin() + "/mcp")));
                var server = gateway.serve(McpServer.builder("gateway", "1"), Http.onPort(0))) {
            listed.await();
            assertThat(log.all())
                    .extracting(line -> line.getFormattedMessage())
                    .isNotEmpty()
                    .doesNotHaveDuplicates();
        }
    }

    /** A server that declares resources, knows no list of them, and says on each stream that they have changed. */
    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (exchange.getRequestMethod().equals("GET")) {
                var event = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/list_changed\"}\n\n";
                exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
                exchange.sendResponseHeaders(200, event.length());
                exchange.getResponseBody().write(event.getBytes(UTF_8));
                return;
            }
            var asked = exchange.getRequestMethod().equals("POST")
                    ? JsonTree.read(exchange.getRequestBody().readAllBytes())
                    : JsonTree.object();
            if (!asked.has("id")) {
                exchange.sendResponseHeaders(asked.has("method") ? 202 : 405, -1);
                return;
            }
            if (asked.path("method").asString("").equals("resources/templates/list")) {
                listed.countDown();
            }
            var end = asked.path("method").asString("").equals("initialize")
                    ? "\"result\":{\"protocolVersion\":\"2025-06-18\","
                            + "\"capabilities\":{\"resources\":{\"listChanged\":true}},"
                            + "\"serverInfo\":{\"name\":\"low-level\",\"version\":\"1\"}}"
                    : "\"error\":{\"code\":-32601,\"message\":\"Method not found\"}";
            var body = "{\"jsonrpc\":\"2.0\",\"id\":" + asked.get("id") + "," + end + "}";
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length());
            exchange.getResponseBody().write(body.getBytes(UTF_8));
        }
    }
}
