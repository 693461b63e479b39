// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.longhaul.fakes.Blocking;
import io.longhaul.fakes.FakeAuthorizationServer;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an issuer costs the server that takes its tokens, and how long the server believes it. */
@Timeout(60)
class IssuerBoundsTest {

    private static final String RESOURCE = "https://tools.example/mcp";

    private Instant now = Instant.parse("2026-11-23T08:00:00Z");

    @AutoClose
    private final FakeAuthorizationServer issuer = new FakeAuthorizationServer(() -> now);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer http;

    @BeforeEach
    void open() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(threads);
        http.start();
    }

    @AfterEach
    void close() {
        http.stop(0);
        threads.shutdownNow();
    }

    private URI serve(String path, HttpHandler handler) {
        http.createContext(path, handler);
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + path);
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        var bytes = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private ResourceServer server(UnaryOperator<TokenIssuer> known) {
        return ResourceServer.of(URI.create(RESOURCE))
                .issuer(known.apply(TokenIssuer.named(issuer.issuer())))
                .clock(() -> now)
                .build();
    }

    /** The status with which a token is refused; 200 for one that is taken. */
    private static int ask(ResourceServer server, String token) {
        var asked = server.resolve(
                name -> name.equals("Authorization") ? Optional.of("Bearer " + token) : Optional.empty());
        return asked instanceof Resolution.Refused refused ? refused.status() : 200;
    }

    private String token() {
        return issuer.token(RESOURCE, "tools");
    }

    /** The keys of the issuer in so many bytes. */
    private String keys(int bytes) {
        var keys = JsonTree.object().put("pad", "");
        keys.putArray("keys").add(issuer.key().publicKey());
        int pad = bytes - keys.toString().length();
        return keys.put("pad", "x".repeat(pad)).toString();
    }

    @Test
    void keys_of_256_kib_are_read_and_those_of_one_byte_more_are_not() {
        var most = serve("/most", exchange -> answer(exchange, keys(256 * 1024)));
        var more = serve("/more", exchange -> answer(exchange, keys(256 * 1024 + 1)));
        assertThat(ask(server(named -> named.keysAt(most)), token())).isEqualTo(200);
        assertThat(ask(server(named -> named.keysAt(more)), token())).isEqualTo(503);
    }

    @Test
    void an_answer_whose_last_byte_does_not_come_in_time_is_given_up() throws Exception {
        var end = new CountDownLatch(1);
        var slow = serve("/slow", exchange -> {
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            Blocking.await(end);
            exchange.close();
        });
        var fast = serve("/fast", exchange -> answer(exchange, "{}"));
        assertThat(new BoundedHttp().get(fast).isOk()).isTrue();
        assertThatThrownBy(() -> new BoundedHttp(Duration.ofMillis(300)).get(slow))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("did not answer");
        end.countDown();
    }

    @Test
    void thirty_two_tokens_are_looked_up_at_once_and_the_next_one_is_to_come_back() throws Exception {
        var asked = new CountDownLatch(32);
        var answered = new CountDownLatch(1);
        var place = serve("/introspect", exchange -> {
            asked.countDown();
            Blocking.await(answered);
            answer(exchange, "{\"active\":false}");
        });
        var server = server(named -> named.introspected("server", "secret").introspectedAt(place));
        List<CompletableFuture<Integer>> waiting = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            var token = "token-" + i;
            waiting.add(CompletableFuture.supplyAsync(() -> ask(server, token), threads));
        }
        asked.await();
        assertThat(ask(server, "one-more")).isEqualTo(503);
        answered.countDown();
        assertThat(waiting).extracting(CompletableFuture::get).containsOnly(401);
        assertThat(ask(server, "one-more")).isEqualTo(401);
    }

    @Test
    void invented_tokens_hold_up_no_check_of_a_token_that_was_good_before() throws Exception {
        var asked = new CountDownLatch(32);
        var answered = new CountDownLatch(1);
        var place = serve("/introspect", exchange -> {
            if (new String(exchange.getRequestBody().readAllBytes(), UTF_8).contains("invented")) {
                asked.countDown();
                Blocking.await(answered);
                answer(exchange, "{\"active\":false}");
            } else {
                answer(exchange, "{\"active\":true,\"sub\":\"ann\",\"aud\":\"" + RESOURCE + "\"}");
            }
        });
        var server = server(named -> named.introspected("server", "secret").introspectedAt(place));
        assertThat(ask(server, "of-ann")).isEqualTo(200);
        for (int i = 0; i < 32; i++) {
            var token = "invented-" + i;
            threads.execute(() -> ask(server, token));
        }
        asked.await();
        now = now.plus(CheckedTokens.LOOKED_UP);
        assertThat(ask(server, "of-ann")).isEqualTo(200);
        assertThat(ask(server, "of-bob")).isEqualTo(503);
        answered.countDown();
    }

    @Test
    void a_signature_that_was_checked_is_believed_for_a_minute() {
        var server = server(named -> named);
        assertThat(ask(server, token())).isEqualTo(200);
        var old = token();
        now = now.plus(KeySet.FRESH).minusSeconds(30);
        var checked = now;
        assertThat(ask(server, old)).isEqualTo(200);
        issuer.rotate();
        now = now.plusSeconds(31);
        assertThat(ask(server, token())).as("a token of the new key").isEqualTo(200);
        now = checked.plus(Duration.ofMinutes(1)).minusMillis(1);
        assertThat(ask(server, old)).isEqualTo(200);
        now = now.plusMillis(1);
        assertThat(ask(server, old)).isEqualTo(401);
    }

    @Test
    void a_clock_that_is_set_back_keeps_no_new_key_from_being_read_and_no_old_one_valid() {
        var server = server(named -> named);
        var old = issuer.key();
        assertThat(ask(server, token())).isEqualTo(200);
        now = now.minus(Duration.ofHours(1));
        var stale = old.sign("at+jwt", issuer.claims(RESOURCE, "tools"));
        issuer.rotate();
        assertThat(ask(server, token())).isEqualTo(200);
        assertThat(ask(server, stale)).isEqualTo(401);
    }

    @Test
    void old_keys_are_read_again_where_the_clock_was_set_back() {
        var server = server(named -> named);
        assertThat(ask(server, token())).isEqualTo(200);
        now = now.minus(Duration.ofHours(1));
        assertThat(ask(server, token())).isEqualTo(200);
        assertThat(issuer.asked().stream().filter("/keys"::equals)).hasSize(2);
    }

    @Test
    void a_verdict_lasts_no_longer_where_the_clock_was_set_back() {
        var server = server(named -> named.introspected("server", "secret"));
        var token = issuer.opaque(issuer.claims(RESOURCE, "tools"));
        assertThat(ask(server, token)).isEqualTo(200);
        issuer.revoke(token);
        now = now.minus(Duration.ofHours(1));
        assertThat(ask(server, token)).isEqualTo(401);
    }

    @Test
    void an_answer_that_is_given_up_holds_no_connection() throws Exception {
        var isClosed = new CompletableFuture<Boolean>();
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            threads.execute(() -> isClosed.complete(isClosedAfterOneByte(socket)));
            var place = URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/slow");
            assertThatThrownBy(() -> new BoundedHttp(Duration.ofMillis(300)).get(place))
                    .hasMessageContaining("did not answer");
            assertThat(isClosed.get()).isTrue();
        }
    }

    /** Answers with one byte of two, and waits until the client closes the connection. */
    private static boolean isClosedAfterOneByte(ServerSocket socket) {
        try (var connection = socket.accept()) {
            var head = new StringBuilder();
            while (!head.toString().endsWith("\r\n\r\n")) {
                head.append((char) connection.getInputStream().read());
            }
            connection.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{".getBytes(UTF_8));
            return connection.getInputStream().read() < 0;
        } catch (IOException e) {
            return true;
        }
    }
}
