// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.longhaul.fakes.Blocking;
import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Connection;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.testkit.talk.RawHttp;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The two paths of the deprecated HTTP with SSE. */
@Timeout(60)
class LegacySseTest {

    private static final String ACCEPT = "Accept: text/event-stream\r\n";

    private final Http http = Http.onPort(0).legacySse();
    private final Echo endpoint = new Echo();

    /** Answers every message with itself, and notes which connections have ended. */
    private static final class Echo implements Endpoint {
        private final Set<String> seen = ConcurrentHashMap.newKeySet();
        private final BlockingQueue<String> closed = new LinkedBlockingQueue<>();

        @Override
        public Runnable accept(byte[] message, Exchange exchange) {
            seen.add(exchange.connection().orElseThrow().id());
            return () -> exchange.answer(new WholeResponse(200, Json.raw(message)));
        }

        @Override
        public void listen(Exchange exchange) {
            exchange.answer(new WholeResponse(405, null));
        }

        @Override
        public void leave(Exchange exchange) {
            exchange.answer(new WholeResponse(405, null));
        }

        @Override
        public void closed(Connection connection) {
            closed.add(connection.id());
        }
    }

    @AfterEach
    void close() {
        http.close();
    }

    private RawHttp client() throws IOException {
        return new RawHttp(http.port());
    }

    private static String head(String method, String path, String headers) {
        return RawHttp.head(method, headers).replaceFirst("/mcp", path);
    }

    /** Opens a stream, and gives the address to post to. */
    private static String open(RawHttp stream, String headers) throws IOException {
        assertThat(stream.send(head("GET", "/sse", ACCEPT + headers) + "\r\n")
                        .responseHead()
                        .status())
                .isEqualTo(200);
        assertThat(stream.chunk()).isEqualTo(":\n\n");
        var event = stream.chunk();
        assertThat(event).matches("event: endpoint\ndata: /messages\\?sessionId=[A-Za-z0-9_-]{24}\n\n");
        return event.substring(event.indexOf('/')).strip();
    }

    private RawHttp.Response post(String address, String body, String headers) throws IOException {
        try (var client = client()) {
            return client.send(head("POST", address, headers) + "Content-Type: application/json\r\nContent-Length: "
                            + body.length() + "\r\n\r\n" + body)
                    .response();
        }
    }

    @Test
    void it_is_off_unless_asked_for() throws IOException {
        try (var plain = Http.onPort(0)) {
            plain.start(Script.ECHO);
            for (var request : new String[] {head("GET", "/sse", ACCEPT), head("GET", "/messages", "")}) {
                try (var client = new RawHttp(plain.port())) {
                    assertThat(client.send(request + "\r\n").response().status())
                            .isEqualTo(404);
                }
            }
            assertThat(plain.legacySseUrl()).isEmpty();
        }
    }

    @Test
    void as_many_streams_are_open_as_sessions_may_be_and_the_next_one_is_told_to_come_back() throws IOException {
        http.limits(new WireLimits(4 << 20, 64, 2, Duration.ofHours(1), 1));
        http.start(endpoint);
        try (var first = client();
                var second = client();
                var third = client()) {
            open(first, "");
            open(second, "");
            var refused = third.send(head("GET", "/sse", ACCEPT) + "\r\n").response();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.headers()).containsKey("retry-after");
        }
    }

    @Test
    void a_stream_says_where_to_post_and_brings_the_answers_of_what_was_posted_there() throws IOException {
        http.start(endpoint);
        assertThat(http.legacySseUrl().orElseThrow()).hasPath("/sse");
        try (var stream = client()) {
            var address = open(stream, "");
            var accepted = post(address, "{\"a\":1}", "");
            assertThat(accepted.status()).isEqualTo(202);
            assertThat(accepted.body()).isEmpty();
            assertThat(stream.chunk()).isEqualTo("event: message\ndata: {\"a\":1}\n\n");
        }
    }

    @Test
    void what_was_posted_for_one_stream_is_answered_on_no_other() throws IOException {
        http.start(endpoint);
        try (var one = client();
                var other = client()) {
            var first = open(one, "");
            var second = open(other, "");
            assertThat(first).isNotEqualTo(second);
            post(first, "1", "");
            post(second, "2", "");
            assertThat(one.chunk()).isEqualTo("event: message\ndata: 1\n\n");
            assertThat(other.chunk()).isEqualTo("event: message\ndata: 2\n\n");
        }
    }

    @Test
    void the_end_of_the_stream_is_the_end_of_the_session() throws Exception {
        http.start(endpoint);
        String address;
        try (var stream = client()) {
            address = open(stream, "");
            post(address, "1", "");
        }
        assertThat(endpoint.closed.take()).isIn(endpoint.seen);
        assertThat(post(address, "1", "").status()).isEqualTo(404);
    }

    @Test
    void a_message_needs_the_session_of_an_open_stream() throws IOException {
        http.start(endpoint);
        assertThat(post("/messages", "1", "").status()).isEqualTo(400);
        assertThat(post("/messages?sessionId=of-nobody", "1", "").status()).isEqualTo(404);
    }

    @Test
    void the_session_of_one_principal_takes_no_message_of_another() throws IOException {
        http.principals(header ->
                new Resolution.Granted(new Principal(header.apply("Who").orElse("nobody"), Principal.Kind.AUTHORIZED)));
        http.start(endpoint);
        try (var stream = client()) {
            var address = open(stream, "Who: alice\r\n");
            assertThat(post(address, "1", "Who: mallory\r\n").status()).isEqualTo(404);
            assertThat(post(address, "2", "Who: alice\r\n").status()).isEqualTo(202);
            assertThat(stream.chunk()).isEqualTo("event: message\ndata: 2\n\n");
        }
    }

    @Test
    void foreign_hosts_and_origins_are_forbidden_at_both_paths() throws IOException {
        http.start(endpoint);
        for (var header : new String[] {"Host: evil.example\r\n", "Origin: http://evil.example\r\n"}) {
            try (var stream = client()) {
                var refused = stream.send(head("GET", "/sse", ACCEPT + header) + "\r\n");
                assertThat(refused.response().status()).isEqualTo(403);
            }
            assertThat(post("/messages?sessionId=x", "1", header).status()).isEqualTo(403);
        }
    }

    @Test
    void each_path_has_its_one_method_and_only_json_is_taken() throws IOException {
        http.start(endpoint);
        assertThat(post("/sse", "{}", "").status()).isEqualTo(405);
        try (var client = client()) {
            var refused = client.send(head("GET", "/messages", ACCEPT) + "\r\n").response();
            assertThat(refused.status()).isEqualTo(405);
            assertThat(refused.headers()).containsEntry("allow", "POST, OPTIONS");
            var text = head("POST", "/messages?sessionId=x", "") + "Content-Type: text/plain\r\n";
            assertThat(client.send(text + "Content-Length: 1\r\n\r\n1")
                            .response()
                            .status())
                    .isEqualTo(415);
        }
    }

    @Test
    void its_paths_cannot_be_those_of_streamable_http_too() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Http.onPort(0).path("/sse").legacySse().start(endpoint))
                .withMessageContaining("/sse");
    }

    @Test
    void a_thousand_messages_wait_for_an_answer_and_the_next_one_is_told_to_come_back() throws IOException {
        var answered = new CountDownLatch(1);
        http.start(Script.posting((body, exchange) -> {
            Blocking.await(answered);
            exchange.answer(new WholeResponse(200, Json.raw(body)));
        }));
        try (var stream = client();
                var poster = client()) {
            var head = head("POST", open(stream, ""), "Content-Type: application/json\r\nContent-Length: 1\r\n");
            for (int i = 0; i < 1_000; i++) {
                assertThat(poster.send(head + "\r\n1").response().status()).isEqualTo(202);
            }
            var refused = poster.send(head + "\r\n2").response();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.headers()).containsKey("retry-after");
            answered.countDown();
            for (int i = 0; i < 1_000; i++) {
                assertThat(stream.chunk()).isEqualTo("event: message\ndata: 1\n\n");
            }
        }
    }
}
