// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.Permit;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.testkit.talk.RawHttp;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an authorization that expires does to open streams, and what is served without one. */
@Timeout(60)
class AuthorizedStreamsTest {

    private static final String ACCEPT = "Accept: text/event-stream\r\n";
    private static final Principal ALICE = new Principal("alice", Principal.Kind.AUTHORIZED);

    private final Http http = Http.onPort(0).keepAlive(Duration.ofMillis(100));

    @AfterEach
    void close() {
        http.close();
    }

    private RawHttp client() throws IOException {
        return new RawHttp(http.port());
    }

    /** Grants what is left of a token's time, which the header says in milliseconds. */
    private static Resolution expiring(Function<String, Optional<String>> header) {
        return header.apply("Authorization")
                .<Resolution>map(left -> new Resolution.Granted(
                        ALICE,
                        Permit.of(Set.of("read"), needed -> Optional.empty()),
                        System.nanoTime() + Long.parseLong(left) * 1_000_000))
                .orElseGet(() -> new Resolution.Refused(401, "Bearer", "Send a token"));
    }

    @Test
    void a_stream_is_closed_when_its_authorization_expires_and_its_writer_knows_why() throws IOException {
        var gone = new CompletableFuture<Boolean>();
        var late = new CompletableFuture<Throwable>();
        http.principals(AuthorizedStreamsTest::expiring).start(Script.listening(exchange -> {
            EventStream stream = exchange.stream(Map.of());
            stream.onGone(() -> gone.complete(stream.isEndedHere()));
            gone.join();
            try {
                stream.send(null, Json.raw("1"));
            } catch (PeerGoneException e) {
                late.complete(e);
            }
        }));
        try (var client = client()) {
            client.get(ACCEPT + "Authorization: 300\r\n").responseHead();
            assertThat(client.chunk()).isEqualTo(":\n\n");
            var next = client.chunk();
            while (next.equals(":\n\n")) {
                next = client.chunk();
            }
            assertThat(next).isEmpty();
            assertThat(gone.join()).isTrue();
            assertThat(late.join()).isNotNull();
        }
    }

    @Test
    void nothing_is_written_with_an_authorization_that_has_expired() throws IOException {
        var refused = new CompletableFuture<Throwable>();
        http.principals(AuthorizedStreamsTest::expiring).start(Script.listening(exchange -> {
            try (var stream = exchange.stream(Map.of())) {
                stream.send(null, Json.raw("1"));
            } catch (PeerGoneException e) {
                refused.complete(e);
            }
        }));
        try (var client = client()) {
            client.get(ACCEPT + "Authorization: -1\r\n").responseHead();
            assertThat(client.chunk()).isEmpty();
            assertThat(refused.join()).isNotNull();
        }
    }

    @Test
    void a_message_carries_what_it_may_do() throws IOException {
        http.principals(AuthorizedStreamsTest::expiring)
                .start(Script.posting((body, exchange) -> exchange.answer(new WholeResponse(
                        exchange.permit().covers(Set.of("read"))
                                        && !exchange.permit().covers(Set.of("write"))
                                ? 200
                                : 500,
                        Json.raw("1")))));
        try (var client = client()) {
            assertThat(client.post("{}", "Authorization: 60000\r\n").response().status())
                    .isEqualTo(200);
        }
    }

    @Test
    void documents_are_served_to_everybody_of_an_allowed_host_and_nothing_else_is() throws IOException {
        http.principals(new PrincipalResolver() {
                    @Override
                    public Resolution resolve(Function<String, Optional<String>> header) {
                        return new Resolution.Refused(503, Map.of("Retry-After", "1"), "Later");
                    }

                    @Override
                    public Map<String, Json> documents() {
                        return Map.of("/.well-known/x", Json.raw("{\"a\":1}"));
                    }
                })
                .start(Script.posting((body, exchange) -> exchange.answer(new WholeResponse(200, null))));
        assertThat(ask("GET", "/.well-known/x", "")).satisfies(response -> {
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.headers()).containsEntry("content-type", "application/json");
            assertThat(response.body()).isEqualTo("{\"a\":1}");
        });
        assertThat(ask("POST", "/.well-known/x", "").status()).isEqualTo(405);
        assertThat(ask("GET", "/.well-known/x", "Origin: https://evil.example\r\n")
                        .status())
                .isEqualTo(403);
        assertThat(ask("GET", "/mcp", ACCEPT)).satisfies(response -> {
            assertThat(response.status()).isEqualTo(503);
            assertThat(response.headers()).containsEntry("retry-after", "1").doesNotContainKey("www-authenticate");
        });
    }

    private RawHttp.Response ask(String method, String path, String headers) throws IOException {
        try (var client = client()) {
            return client.send(RawHttp.head(method, headers).replaceFirst("/mcp", path) + "\r\n")
                    .response();
        }
    }
}
