// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.longhaul.fakes.Blocking;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * A client on real time, over a real connection, is closed in the middle of its work. That it leaves nothing is checked
 * after every test of this module.
 */
@Timeout(60)
class ClosingTest {

    private static final String OPENED =
            "\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},"
                    + "\"serverInfo\":{\"name\":\"mute\",\"version\":\"1\"}}}";
    private static final CallOptions LIMITED = CallOptions.DEFAULT.withTimeout(Duration.ofHours(1));

    private final CountDownLatch called = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void a_client_of_a_program_leaves_neither_the_program_nor_what_read_from_it() throws Exception {
        var server = "read -r request; echo '{\"jsonrpc\":\"2.0\",\"id\":1," + OPENED + "'; cat > /dev/null";
        var client = McpClient.launch(List.of("/bin/sh", "-c", server))
                .generation(Generation.V2025_06_18)
                .connect();
        var call = client.call("report", NO_ARGUMENTS, LIMITED);
        client.close();
        assertThat(call.await()).isInstanceOf(CallOutcome.Failed.class);
    }

    @Test
    void a_client_over_http_leaves_neither_a_connection_nor_what_waited_for_it() throws Exception {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            server.setExecutor(threads);
            server.createContext("/mcp", this::answer);
            server.start();
            var client = McpClient.to(URI.create("http://127.0.0.1:%d/mcp"
                            .formatted(server.getAddress().getPort())))
                    .generation(Generation.V2025_06_18)
                    .answers(QuestionHandler.NONE.roots(List::of))
                    .connect();
            var call = client.call("report", NO_ARGUMENTS, LIMITED);
            called.await();
            client.close();
            assertThat(call.await()).isInstanceOf(CallOutcome.Failed.class);
            end.countDown();
        } finally {
            server.stop(0);
        }
    }

    /** Opens a session, and says nothing more to any call, nor on a stream of its own. */
    private void answer(HttpExchange exchange) throws IOException {
        var body = exchange.getRequestBody().readAllBytes();
        var method = body.length == 0
                ? exchange.getRequestMethod()
                : JsonTree.read(Json.raw(new String(body, UTF_8)))
                        .path("method")
                        .asString("");
        switch (method) {
            case "initialize" -> {
                var opened = ("{\"jsonrpc\":\"2.0\",\"id\":1," + OPENED).getBytes(UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.getResponseHeaders().set("Mcp-Session-Id", "one");
                exchange.sendResponseHeaders(200, opened.length);
                exchange.getResponseBody().write(opened);
            }
            case "tools/call", "GET" -> {
                exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().flush();
                if (method.equals("tools/call")) {
                    called.countDown();
                }
                Blocking.await(end);
            }
            default -> exchange.sendResponseHeaders(202, -1);
        }
        exchange.close();
    }
}
