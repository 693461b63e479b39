// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.longhaul.fakes.Blocking;
import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.TransportException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClientHttpTest {

    private static final WireLimits SMALL = new WireLimits(32, 64, 1, Duration.ofHours(1), 1);
    private static final Map<String, String> NO_HEADERS = Map.of();

    private final CountDownLatch end = new CountDownLatch(1);
    private HttpServer server;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    @AfterEach
    void close() {
        end.countDown();
        server.stop(0);
    }

    private ClientHttp serve(HttpHandler handler) {
        return serve(handler, ClientHttp.HttpTimeouts.DEFAULT);
    }

    private ClientHttp serve(HttpHandler handler, ClientHttp.HttpTimeouts timeout) {
        server.createContext("/mcp", handler);
        var uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/mcp");
        return new ClientHttp(uri, SMALL, timeout);
    }

    private static void answer(HttpExchange exchange, int status, String type, String body) throws IOException {
        var bytes = body.getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static void write(HttpExchange exchange, String text) throws IOException {
        exchange.getResponseBody().write(text.getBytes(UTF_8));
        exchange.getResponseBody().flush();
    }

    private static String text(ServerReply reply) throws TransportException {
        return new String(reply.next().orElseThrow().data(), UTF_8);
    }

    @Test
    void every_message_is_a_post_that_accepts_json_and_streams() throws Exception {
        var seen = new ArrayList<String>();
        try (var client = serve(exchange -> {
            seen.add(exchange.getRequestMethod());
            seen.add(exchange.getRequestHeaders().getFirst("Accept"));
            answer(exchange, 200, "application/json", "{}");
        })) {
            for (int i = 0; i < 3; i++) {
                assertThat(text(client.send(Json.raw("{}"), NO_HEADERS))).isEqualTo("{}");
            }
        }
        assertThat(seen).hasSize(6);
        for (int i = 0; i < 6; i += 2) {
            assertThat(seen.get(i)).isEqualTo("POST");
            assertThat(seen.get(i + 1)).contains("application/json", "text/event-stream");
        }
    }

    @Test
    void a_json_answer_is_one_event() throws Exception {
        try (var client = serve(exchange -> answer(
                exchange,
                200,
                "application/json; charset=utf-8",
                exchange.getRequestMethod()
                        + exchange.getRequestHeaders().getFirst("X-H")
                        + new String(exchange.getRequestBody().readAllBytes(), UTF_8)))) {
            var reply = client.send(Json.raw("{}"), Map.of("X-H", "h"));
            assertThat(reply.status()).isEqualTo(200);
            assertThat(text(reply)).isEqualTo("POSTh{}");
            assertThat(reply.next()).isEmpty();
            assertThat(text(client.leave(NO_HEADERS))).isEqualTo("DELETEnull");
        }
    }

    @Test
    void an_answer_without_a_body_has_no_event() throws Exception {
        try (var client = serve(exchange -> answer(exchange, 202, "application/json", ""))) {
            var reply = client.send(Json.raw("{}"), NO_HEADERS);
            assertThat(reply.status()).isEqualTo(202);
            assertThat(reply.next()).isEmpty();
        }
    }

    @Test
    void events_are_read_as_they_come_and_closing_tells_the_server() throws Exception {
        var read = new CountDownLatch(1);
        var left = new CompletableFuture<Void>();
        try (var client = serve(exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            write(exchange, "id: 1\ndata: " + exchange.getRequestHeaders().getFirst("Last-Event-ID") + "\n\n");
            Blocking.await(read);
            write(exchange, "data: 2\n\n");
            try {
                while (true) {
                    write(exchange, ":\n\n");
                }
            } catch (IOException e) {
                left.complete(null);
            }
        })) {
            var reply = client.listen(Map.of("Last-Event-ID", "0"));
            var first = reply.next().orElseThrow();
            assertThat(first.id()).contains("1");
            assertThat(first.data()).asString(UTF_8).isEqualTo("0");
            read.countDown();
            assertThat(text(reply)).isEqualTo("2");
            reply.close();
            assertThat(reply.next()).isEmpty();
            left.join();
        }
    }

    @Test
    void a_reply_is_closed_from_another_thread_while_it_is_waited_for() throws Exception {
        try (var client = serve(exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().flush();
            Blocking.await(end);
        })) {
            var reply = client.listen(NO_HEADERS);
            var closer = Thread.ofVirtual().start(reply::close);
            assertThat(reply.next()).isEmpty();
            closer.join();
        }
    }

    @Test
    void an_idle_stream_and_a_late_answer_time_out() throws Exception {
        var timeout = new ClientHttp.HttpTimeouts(Duration.ofSeconds(5), Duration.ofSeconds(2), Duration.ofMillis(100));
        try (var client = serve(
                exchange -> {
                    if (exchange.getRequestMethod().equals("GET")) {
                        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
                        exchange.sendResponseHeaders(200, 0);
                        exchange.getResponseBody().flush();
                    }
                    Blocking.await(end);
                },
                timeout)) {
            var reply = client.listen(NO_HEADERS);
            assertThatThrownBy(reply::next).satisfies(e -> isOfKind(e, TransportException.Kind.TIMEOUT));
            assertThatThrownBy(() -> client.send(Json.raw("{}"), NO_HEADERS))
                    .satisfies(e -> isOfKind(e, TransportException.Kind.TIMEOUT));
        }
    }

    @Test
    void what_is_too_large_or_no_json_is_unusable() throws Exception {
        try (var client = serve(exchange -> {
            switch (exchange.getRequestMethod()) {
                case "GET" -> answer(exchange, 200, "text/event-stream", "data: " + "x".repeat(100) + "\n\n");
                case "POST" -> answer(exchange, 200, "application/json", "x".repeat(33));
                default -> answer(exchange, 502, "text/html", "<h1>Bad gateway</h1>");
            }
        })) {
            for (var reply : new ServerReply[] {
                client.listen(NO_HEADERS), client.send(Json.raw("{}"), NO_HEADERS), client.leave(NO_HEADERS)
            }) {
                assertThatThrownBy(reply::next).satisfies(e -> isOfKind(e, TransportException.Kind.UNUSABLE));
            }
        }
    }

    @Test
    void a_stream_that_breaks_off_is_lost_and_not_at_its_end() throws Exception {
        try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var client = ClientHttp.to(URI.create("http://127.0.0.1:" + listener.getLocalPort() + "/mcp"))) {
            var answering = Thread.ofVirtual().start(() -> {
                try (var socket = listener.accept()) {
                    socket.getInputStream().read(new byte[1000]);
                    socket.getOutputStream()
                            .write(("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                                            + "Transfer-Encoding: chunked\r\n\r\n5\r\n:\r\n\r\n\r\n")
                                    .getBytes(UTF_8));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            var reply = client.listen(NO_HEADERS);
            assertThatThrownBy(reply::next).satisfies(e -> isOfKind(e, TransportException.Kind.LOST));
            answering.join();
        }
    }

    @Test
    void a_server_that_is_not_there_is_unreachable_so_that_it_is_safe_to_try_again() throws Exception {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (var client = ClientHttp.to(URI.create("http://127.0.0.1:" + port + "/mcp"))) {
            assertThatThrownBy(() -> client.send(Json.raw("{}"), NO_HEADERS))
                    .satisfies(e -> isOfKind(e, TransportException.Kind.UNREACHABLE))
                    .hasMessage("Cannot connect to http://127.0.0.1:" + port
                            + "/mcp: check the address, and that the server runs");
        }
    }

    private static void isOfKind(Throwable failure, TransportException.Kind kind) {
        assertThat(failure)
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }

    @Test
    void a_client_of_the_host_stays_open_when_what_waited_on_it_has_ended() throws Exception {
        var asked = new CountDownLatch(1);
        server.createContext("/other", exchange -> answer(exchange, 200, "text/plain", "here"));
        server.createContext("/mcp", exchange -> {
            if (exchange.getRequestMethod().equals("POST")) {
                asked.countDown();
                Blocking.await(end);
            }
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().flush();
            Blocking.await(end);
        });
        var base = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        try (var host = HttpClient.newHttpClient()) {
            var client = new ClientHttp(base.resolve("/mcp"), SMALL, ClientHttp.HttpTimeouts.DEFAULT, host);
            var stream = client.listen(NO_HEADERS);
            var waiting = new FutureTask<>(() -> client.send(Json.raw("{}"), NO_HEADERS));
            Thread.ofVirtual().start(waiting);
            asked.await();
            client.close();
            assertThat(stream.next()).isEmpty();
            assertThatThrownBy(waiting::get)
                    .hasCauseInstanceOf(TransportException.class)
                    .satisfies(e -> isOfKind(e.getCause(), TransportException.Kind.LOST));
            assertThatThrownBy(() -> client.send(Json.raw("{}"), NO_HEADERS))
                    .satisfies(e -> isOfKind(e, TransportException.Kind.LOST));
            var other = HttpRequest.newBuilder(base.resolve("/other")).build();
            assertThat(host.send(other, BodyHandlers.ofString()).body()).isEqualTo("here");
        }
    }

    @Test
    void a_client_of_the_host_that_follows_redirects_is_refused() {
        var host = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build();
        var uri = URI.create("http://127.0.0.1/mcp");
        assertThatThrownBy(() -> new ClientHttp(uri, SMALL, ClientHttp.HttpTimeouts.DEFAULT, host))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_server_that_takes_no_connection_in_time_is_unreachable() throws Exception {
        var timeout = new ClientHttp.HttpTimeouts(Duration.ofMillis(200), Duration.ZERO, Duration.ZERO);
        var knocking = new ArrayList<SocketChannel>();
        try (var full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < 8; i++) {
                knocking.add(SocketChannel.open());
                knocking.getLast().configureBlocking(false);
                knocking.getLast().connect(full.getLocalSocketAddress());
            }
            assumeThat(knocking).as("a system that keeps few waiting").anyMatch(SocketChannel::isConnectionPending);
            var address = URI.create("http://127.0.0.1:" + full.getLocalPort() + "/mcp");
            try (var client = new ClientHttp(address, SMALL, timeout)) {
                assertThatThrownBy(() -> client.send(Json.raw("{}"), NO_HEADERS))
                        .satisfies(e -> isOfKind(e, TransportException.Kind.UNREACHABLE));
            }
        } finally {
            for (var one : knocking) {
                one.close();
            }
        }
    }
}
