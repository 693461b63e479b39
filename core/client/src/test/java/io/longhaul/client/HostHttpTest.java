// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client goes by the HTTP client of its host, which knows the host's proxy and certificates, and leaves it open. */
@Timeout(60)
class HostHttpTest {

    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<URI> asked = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @AfterEach
    void stop() {
        server.stop(0);
        threads.close();
    }

    private void start(HttpServer created) {
        server = created;
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /** Is discovered, and has one tool. */
    private void answer(HttpExchange exchange) throws IOException {
        asked.add(exchange.getRequestURI());
        var request =
                JsonTree.read(Json.raw(new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
        var result = request.path("method").asString("").equals("server/discover")
                ? "\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}}"
                : "\"tools\":[{\"name\":\"report\",\"inputSchema\":{\"type\":\"object\"}}],\"ttlMs\":0";
        var body = "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"resultType\":\"complete\",%s}}"
                .formatted(request.path("id"), result)
                .getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static void listTools(McpClientBuilder builder) {
        try (var client = builder.connect()) {
            assertThat(client.tools()).extracting(ToolInfo::name).containsExactly("report");
        }
    }

    @Test
    void a_server_whose_certificate_the_host_alone_trusts_is_reached(@TempDir Path folder) throws Exception {
        var authority = PrivateAuthority.in(folder);
        var tls = HttpsServer.create(ANY, 0);
        tls.setHttpsConfigurator(new HttpsConfigurator(authority.server()));
        start(tls);
        var uri = URI.create("https://127.0.0.1:" + tls.getAddress().getPort() + "/mcp");
        assertThatThrownBy(() -> listTools(McpClient.to(uri))).isInstanceOf(McpClientException.class);
        assertThat(asked).isEmpty();
        try (var http = HttpClient.newBuilder().sslContext(authority.host()).build()) {
            listTools(McpClient.to(uri).over(http));
            listTools(McpClient.to(uri).over(http));
        }
        assertThat(asked).isNotEmpty();
    }

    @Test
    void the_proxy_of_the_host_sees_each_request() throws Exception {
        start(HttpServer.create(ANY, 0));
        var uri = URI.create("http://mcp.beyond-the-proxy.invalid/mcp");
        try (var http = HttpClient.newBuilder()
                .proxy(ProxySelector.of(server.getAddress()))
                .build()) {
            listTools(McpClient.to(uri).over(http));
        }
        assertThat(asked).hasSizeGreaterThan(1).containsOnly(uri);
    }

    @Test
    void a_client_that_follows_redirects_is_refused_at_once() throws Exception {
        start(HttpServer.create(ANY, 0));
        try (var http = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build()) {
            var builder = McpClient.to(URI.create("http://127.0.0.1/mcp"));
            assertThatThrownBy(() -> builder.over(http)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
