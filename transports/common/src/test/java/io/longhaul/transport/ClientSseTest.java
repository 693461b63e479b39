// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.client.ClientTransport;
import io.longhaul.protocol.transport.client.TransportException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ClientSseTest {

    private static final Map<String, String> TOKEN = Map.of("Authorization", "Bearer t");
    private static final ClientHttp.HttpTimeouts IMPATIENT =
            new ClientHttp.HttpTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofNanos(1));

    private final CountDownLatch end = new CountDownLatch(1);
    private final BlockingQueue<String> posted = new ArrayBlockingQueue<>(10);
    private HttpServer server;
    private ClientTransport client;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/messages", exchange -> {
            posted.add(exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("Authorization") + " "
                    + new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            exchange.sendResponseHeaders(202, -1);
            exchange.close();
        });
        server.start();
        var http = new ClientHttp(URI.create(origin() + "/sse"), WireLimits.DEFAULT, IMPATIENT);
        client = http.overSse().orElseThrow();
    }

    @AfterEach
    void close() {
        client.close();
        end.countDown();
        server.stop(0);
    }

    private String origin() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The stream of the server, which stays open. */
    private void stream(int status, String type, String text) {
        server.createContext("/sse", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", type);
            exchange.sendResponseHeaders(status, 0);
            exchange.getResponseBody().write(text.getBytes(UTF_8));
            exchange.getResponseBody().flush();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        });
    }

    private void tellingEndpoint(String address) {
        stream(200, "text/event-stream", "event: endpoint\ndata: " + address + "\n\ndata: {\"id\":1}\n\n");
    }

    private void assertPostsTo(String address) throws Exception {
        tellingEndpoint(address);
        try (var stream = client.listen(TOKEN)) {
            assertThat(client.send(Json.raw("{\"method\":\"ping\"}"), TOKEN).status())
                    .isEqualTo(202);
            assertThat(posted.take()).isEqualTo("/messages?session=7 Bearer t {\"method\":\"ping\"}");
            assertThat(new String(stream.next().orElseThrow().data(), UTF_8)).isEqualTo("{\"id\":1}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/messages?session=7", "messages?session=7", "./messages?session=7"})
    void messages_go_to_the_address_that_the_stream_tells_first(String address) throws Exception {
        assertPostsTo(address);
    }

    @Test
    void the_address_may_be_a_whole_one_of_the_same_server() throws Exception {
        assertPostsTo(origin() + "/messages?session=7");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://169.254.169.254/latest",
                "//other.test/messages",
                "http://127.0.0.1:1/messages",
                "https://127.0.0.1/messages",
                "file:///etc/passwd",
                "http://user@127.0.0.1:1/messages"
            })
    void nothing_is_posted_to_another_server(String address) {
        tellingEndpoint(address);
        assertThatThrownBy(() -> client.listen(TOKEN))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("another server");
        assertThatThrownBy(() -> client.send(Json.EMPTY_OBJECT, TOKEN)).isInstanceOf(TransportException.class);
        assertThat(posted).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"event: endpoint\ndata: http://[\n\n", "data: {}\n\n", "event: other\ndata: /messages\n\n"})
    void a_stream_that_does_not_begin_with_such_an_address_is_refused(String text) {
        stream(200, "text/event-stream", text);
        assertThatThrownBy(() -> client.listen(TOKEN))
                .isInstanceOf(TransportException.class)
                .extracting(e -> ((TransportException) e).kind())
                .isEqualTo(TransportException.Kind.UNUSABLE);
    }

    @Test
    void what_is_no_stream_is_refused() {
        stream(200, "application/json", "{}");
        assertThatThrownBy(() -> client.listen(TOKEN)).isInstanceOf(TransportException.class);
    }

    @Test
    void a_refusal_is_given_to_the_caller_who_may_be_authorized_then() throws Exception {
        stream(401, "text/plain", "");
        try (var refused = client.listen(Map.of())) {
            assertThat(refused.status()).isEqualTo(401);
        }
    }

    @Test
    void a_stream_may_be_silent_for_longer_than_other_replies() throws Exception {
        var late = new CountDownLatch(1);
        server.createContext("/sse", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            try {
                exchange.getResponseBody().write("event: endpoint\ndata: /messages\n\n".getBytes(UTF_8));
                exchange.getResponseBody().flush();
                late.await();
                exchange.getResponseBody().write("data: {\"id\":2}\n\n".getBytes(UTF_8));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        });
        try (var stream = client.listen(Map.of())) {
            late.countDown();
            assertThat(new String(stream.next().orElseThrow().data(), UTF_8)).isEqualTo("{\"id\":2}");
        }
    }
}
