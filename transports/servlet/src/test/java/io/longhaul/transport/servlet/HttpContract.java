// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.Blocking;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.Permit;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.testkit.talk.RawHttp;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each server of HTTP does with a request, whatever reads its bytes. */
@Timeout(60)
abstract class HttpContract {

    private static final String JSON = "Content-Type: application/json\r\n";
    private static final String EVENTS = "Accept: text/event-stream\r\n";

    @Nullable
    private Site site;

    /** Makes a server whose callers are found by a resolver, or are the local user. */
    abstract Site site(@Nullable PrincipalResolver principals) throws Exception;

    private Site serve(Endpoint endpoint) throws Exception {
        return serve(endpoint, null);
    }

    private Site serve(Endpoint endpoint, @Nullable PrincipalResolver principals) throws Exception {
        var made = make(principals);
        made.transport().start(endpoint);
        made.open();
        return made;
    }

    /** A server that is not started, and is closed after the test. */
    final Site make(@Nullable PrincipalResolver principals) throws Exception {
        var made = site(principals);
        site = made;
        return made;
    }

    @AfterEach
    final void close() throws Exception {
        if (site != null) {
            site.transport().close();
            site.close();
        }
    }

    private RawHttp.Response ask(String method, String headers, String body) throws IOException {
        return RawHttp.ask(site().url(), method, headers, body);
    }

    final Site site() {
        return Objects.requireNonNull(site);
    }

    @Test
    void a_post_is_answered_with_one_line_of_json_of_known_length() throws Exception {
        serve(Script.ECHO);
        var response = ask("POST", JSON, "{\"a\":1}");

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("{\"a\":1}");
        assertThat(response.headers()).containsEntry("content-type", "application/json");
    }

    @Test
    void requests_of_one_connection_share_nothing() throws Exception {
        serve(Script.posting((body, exchange) -> exchange.answer(new WholeResponse(
                200, Map.of("X-Seen", exchange.header("x-once").orElse("none")), Json.raw(body)))));
        try (var client = new RawHttp(site().url())) {
            assertThat(client.send("POST", JSON + "X-Once: secret\r\n", "1")
                            .response()
                            .headers())
                    .containsEntry("x-seen", "secret");
            assertThat(client.send("POST", JSON, "2").response()).satisfies(second -> {
                assertThat(second.headers()).containsEntry("x-seen", "none");
                assertThat(second.body()).isEqualTo("2");
            });
        }
    }

    @Test
    void a_download_that_breaks_off_is_cut_so_that_nobody_takes_it_for_the_whole() throws Exception {
        serve(Script.ECHO);
        try (var client = new RawHttp(site().url().resolve("/broken/one"))) {
            assertThat(client.send("GET", "", "").response().status()).isEqualTo(200);
            assertThat(client.isCut()).isTrue();
        }
    }

    @Test
    void a_notification_is_answered_without_a_body() throws Exception {
        serve(Script.posting((body, exchange) -> exchange.answer(new WholeResponse(202, null))));
        assertThat(ask("POST", JSON, "{}")).satisfies(response -> {
            assertThat(response.status()).isEqualTo(202);
            assertThat(response.body()).isEmpty();
        });
    }

    @Test
    void a_foreign_host_and_a_foreign_page_are_forbidden_for_each_method() throws Exception {
        serve(Script.ECHO);
        for (var method : new String[] {"POST", "GET", "DELETE", "OPTIONS"}) {
            for (var header : new String[] {
                "Host: evil.example\r\n", "Origin: http://evil.example\r\n", "Origin: null\r\n", "Host: 127.0.0.2\r\n"
            }) {
                var response = ask(method, header + JSON, "");
                assertThat(response.status()).as(method + " " + header).isEqualTo(403);
                assertThat(response.headers()).doesNotContainKey("access-control-allow-origin");
                assertThat(response.body()).startsWith("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600");
            }
        }
    }

    @Test
    void a_page_of_this_machine_may_call_after_a_preflight() throws Exception {
        serve(Script.ECHO);
        var origin = "Origin: http://localhost:5173\r\n";
        var preflight = ask("OPTIONS", origin + "Access-Control-Request-Headers: content-type\r\n", "");
        assertThat(preflight.status()).isEqualTo(204);
        assertThat(preflight.headers())
                .containsEntry("access-control-allow-origin", "http://localhost:5173")
                .containsEntry("access-control-allow-headers", "content-type");
        assertThat(ask("POST", origin + JSON, "1").headers()).containsEntry("vary", "Origin");
    }

    @Test
    void another_method_is_told_which_ones_there_are() throws Exception {
        serve(Script.ECHO);
        var response = ask("PUT", "Content-Length: 0\r\n", "");
        assertThat(response.status()).isEqualTo(405);
        assertThat(response.headers()).containsEntry("allow", "GET, POST, DELETE, OPTIONS");
        assertThat(ask("DELETE", "", "").status()).isEqualTo(204);
    }

    @Test
    void only_plain_json_bodies_are_read_and_answers_that_the_client_could_not_read_refused() throws Exception {
        serve(Script.ECHO);
        assertThat(ask("POST", "Content-Type: text/plain\r\n", "{}").status()).isEqualTo(415);
        assertThat(ask("POST", "Content-Type: application/json; charset=iso-8859-1\r\n", "{}")
                        .status())
                .isEqualTo(415);
        assertThat(ask("POST", JSON + "Content-Encoding: gzip\r\n", "{}").headers())
                .containsEntry("accept-encoding", "identity");
        assertThat(ask("POST", "", "{}").status()).isEqualTo(415);
        assertThat(ask("POST", JSON + "Accept: text/html\r\n", "{}").status()).isEqualTo(406);
        assertThat(ask("GET", "Accept: application/json\r\n", "").status()).isEqualTo(406);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Authorization", "Mcp-Session-Id", "Last-Event-ID", "Content-Type"})
    void a_header_that_decides_and_is_sent_twice_is_refused(String name) throws Exception {
        serve(Script.ECHO);
        var twice = name + ": application/json\r\n" + name.toLowerCase(Locale.ROOT) + ": application/json\r\n";
        var response = ask("POST", name.equals("Content-Type") ? twice : JSON + twice, "{}");
        assertThat(response.status()).isEqualTo(400);
        assertThat(ask("POST", JSON + "Accept: text/event-stream\r\nAccept: application/json\r\n", "{}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void a_credential_that_is_sent_twice_is_refused_before_it_is_checked() throws Exception {
        serve(
                Script.ECHO,
                header -> header.apply("X-Api-Key").isPresent()
                        ? new Resolution.Granted(new Principal("ann", Principal.Kind.AUTHORIZED))
                        : new Resolution.Refused(401, "Bearer", "Send a key"));
        assertThat(ask("POST", JSON + "X-Api-Key: a\r\n", "{}").status()).isEqualTo(200);
        assertThat(ask("POST", JSON + "X-Api-Key: a\r\nX-API-Key: b\r\n", "{}").status())
                .isEqualTo(400);
    }

    @Test
    void a_compressed_body_is_refused_whichever_line_says_so() throws Exception {
        serve(Script.ECHO);
        var encodings = "Content-Encoding: identity\r\nContent-Encoding: gzip\r\n";
        assertThat(ask("POST", JSON + encodings, "{}").status()).isEqualTo(415);
    }

    @Test
    void a_client_takes_a_stream_where_any_line_of_its_accept_says_so_in_whichever_case() throws Exception {
        serve(Script.posting((body, exchange) ->
                exchange.answer(new WholeResponse(200, Json.raw(String.valueOf(exchange.takesStream()))))));
        for (var takes : new String[] {
            "",
            EVENTS,
            "Accept: application/json\r\n" + EVENTS,
            "Accept: application/json, Text/Event-Stream;q=0.5\r\n",
            "Accept: text/*\r\n",
            "Accept: */*\r\n"
        }) {
            assertThat(ask("POST", JSON + takes, "{}").body()).as(takes).isEqualTo("true");
        }
        for (var no : new String[] {"Accept: application/json\r\n", "Accept: application/*\r\n"}) {
            assertThat(ask("POST", JSON + no, "{}").body()).as(no).isEqualTo("false");
        }
    }

    @Test
    void a_body_at_the_limit_is_read_and_a_larger_one_refused_plain_and_in_chunks() throws Exception {
        serve(Script.ECHO);
        var most = "x".repeat(Site.LIMITS.messageBytes());
        assertThat(ask("POST", JSON, most).body()).isEqualTo(most);
        assertThat(ask("POST", JSON, most + "x").status()).isEqualTo(413);
        assertThat(ask("POST", JSON + "Transfer-Encoding: chunked\r\n", chunks(most))
                        .body())
                .isEqualTo(most);
        assertThat(ask("POST", JSON + "Transfer-Encoding: chunked\r\n", chunks(most + "x")))
                .satisfies(refused -> {
                    assertThat(refused.status()).isEqualTo(413);
                    assertThat(refused.body()).contains("The body is larger than 4000 bytes");
                });
    }

    private static String chunks(String body) {
        return Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n";
    }

    @Test
    void a_client_that_breaks_off_in_a_body_does_no_harm() throws Exception {
        serve(Script.ECHO);
        try (var client = new RawHttp(site().url())) {
            client.send("POST", JSON + "Content-Length: 50\r\n", "{");
        }
        assertThat(ask("POST", JSON, "1").status()).isEqualTo(200);
    }

    @Test
    void a_handler_that_fails_or_forgets_to_answer_is_an_internal_error_without_a_word_of_the_inside()
            throws Exception {
        serve(Script.posting((body, exchange) -> {
            if (body.length == 1) {
                throw new IllegalStateException("secret of the inside");
            }
        }));
        for (var body : new String[] {"1", "22"}) {
            assertThat(ask("POST", JSON, body)).satisfies(response -> {
                assertThat(response.status()).isEqualTo(500);
                assertThat(response.body()).contains("-32603").doesNotContain("secret", "Exception");
            });
        }
    }

    @Test
    void an_answer_cannot_carry_a_header_of_its_own_making() throws Exception {
        serve(Script.posting((body, exchange) ->
                exchange.answer(new WholeResponse(200, Map.of("X-Echo", "a\r\nX-Evil: b"), Json.EMPTY_OBJECT))));
        assertThat(ask("POST", JSON, "{}")).satisfies(response -> {
            assertThat(response.status()).isEqualTo(500);
            assertThat(response.headers()).doesNotContainKey("x-evil");
        });
    }

    @Test
    void the_principal_is_asked_for_on_every_request_of_a_connection() throws Exception {
        serve(
                Script.posting((body, exchange) -> exchange.answer(new WholeResponse(
                        200, Json.raw("\"" + exchange.principal().name() + "\"")))),
                header -> header.apply("Authorization")
                        .<Resolution>map(
                                token -> new Resolution.Granted(new Principal(token, Principal.Kind.AUTHORIZED)))
                        .orElseGet(() -> new Resolution.Refused(401, "Bearer", "Send a token")));
        try (var client = new RawHttp(site().url())) {
            assertThat(client.send("POST", JSON + "Authorization: a\r\n", "1")
                            .response()
                            .body())
                    .isEqualTo("\"a\"");
            assertThat(client.send("POST", JSON, "1").response()).satisfies(refused -> {
                assertThat(refused.status()).isEqualTo(401);
                assertThat(refused.headers()).containsEntry("www-authenticate", "Bearer");
            });
        }
    }

    @Test
    void documents_are_served_to_everybody_and_nothing_else_is() throws Exception {
        serve(Script.ECHO, new PrincipalResolver() {
            @Override
            public Resolution resolve(Function<String, Optional<String>> header) {
                return new Resolution.Refused(503, Map.of("Retry-After", "1"), "Later");
            }

            @Override
            public Map<String, Json> documents() {
                return Map.of("/.well-known/x", Json.raw("{\"a\":1}"));
            }
        });
        try (var client = HttpClient.newHttpClient()) {
            var document = client.send(
                    HttpRequest.newBuilder(site().url().resolve("/.well-known/x"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(document.body()).isEqualTo("{\"a\":1}");
            assertThat(document.headers().firstValue("Cache-Control")).contains("max-age=300");
        }
        assertThat(ask("GET", EVENTS, "").headers()).containsEntry("retry-after", "1");
    }

    @Test
    void a_stream_is_seen_at_once_and_kept_alive_and_its_events_come_as_they_are_sent() throws Exception {
        var go = new CountDownLatch(1);
        serve(Script.listening(exchange -> {
            try (var stream = exchange.stream(Map.of("Mcp-Session-Id", "s"))) {
                Blocking.await(go);
                stream.send("7", Json.raw("{\"b\":\n2}"));
            }
        }));
        try (var client = new RawHttp(site().url())) {
            var head = client.send("GET", EVENTS, "").response();
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.headers())
                    .containsEntry("content-type", "text/event-stream")
                    .containsEntry("mcp-session-id", "s")
                    .containsEntry("x-accel-buffering", "no");
            for (var i = 0; i < 3; i++) {
                assertThat(client.event()).isEqualTo(":");
            }
            go.countDown();
            var event = client.event();
            while (event.equals(":")) {
                event = client.event();
            }
            assertThat(event).isEqualTo("id: 7");
            assertThat(client.event()).isEqualTo("data: {\"b\": 2}");
            client.end();
        }
    }

    @Test
    void concurrent_senders_of_one_stream_never_mix_their_events() throws Exception {
        serve(Script.posting((body, exchange) -> {
            try (var stream = exchange.stream(Map.of())) {
                var threads = new ArrayList<Thread>();
                for (var i = 0; i < 300; i++) {
                    var event = Json.raw("\"" + i + "x".repeat(200) + "\"");
                    threads.add(Thread.ofVirtual().start(() -> stream.send(null, event)));
                }
                threads.forEach(Blocking::join);
            }
        }));
        try (var client = new RawHttp(site().url())) {
            client.send("POST", JSON, "{}").response();
            for (var i = 0; i < 300; ) {
                var line = client.event();
                if (!line.equals(":")) {
                    assertThat(line).matches("data: \"\\d+x{200}\"");
                    i++;
                }
            }
            client.end();
        }
    }

    @Test
    void a_client_that_left_is_noticed_while_nothing_is_sent_to_it() throws Exception {
        var gone = new CountDownLatch(1);
        serve(Script.listening(exchange -> {
            exchange.stream(Map.of()).onGone(gone::countDown);
            Blocking.await(gone);
        }));
        try (var client = new RawHttp(site().url())) {
            client.send("GET", EVENTS, "").response();
            assertThat(client.event()).isEqualTo(":");
        }
        Blocking.await(gone);
    }

    @Test
    void a_client_that_stops_reading_is_given_up_without_holding_up_others() throws Exception {
        var gone = new CountDownLatch(1);
        serve(Script.listening(exchange -> {
            var stream = exchange.stream(Map.of());
            stream.onGone(gone::countDown);
            var big = Json.raw("\"" + "x".repeat(1 << 20) + "\"");
            while (stream.isOpen()) {
                try {
                    stream.send(null, big);
                } catch (PeerGoneException e) {
                    return;
                }
            }
        }));
        try (var stuck = new RawHttp(site().url())) {
            stuck.send("GET", EVENTS, "").response();
            assertThat(ask("POST", JSON, "1").status()).isEqualTo(200);
            Blocking.await(gone);
        }
        assertThat(ask("POST", JSON, "1").status()).isEqualTo(200);
    }

    @Test
    void a_stream_whose_authorization_expires_is_closed_and_its_writer_knows_why() throws Exception {
        var gone = new CountDownLatch(1);
        var here = new ArrayList<Boolean>();
        serve(
                Script.listening(exchange -> {
                    var stream = exchange.stream(Map.of());
                    stream.onGone(() -> {
                        here.add(stream.isEndedHere());
                        gone.countDown();
                    });
                    Blocking.await(gone);
                }),
                header -> new Resolution.Granted(
                        Principal.LOCAL, Permit.of(Principal.LOCAL), System.nanoTime() + 200_000_000L));
        try (var client = new RawHttp(site().url())) {
            client.send("GET", EVENTS, "").response();
            client.end();
        }
        Blocking.await(gone);
        assertThat(here).containsExactly(true);
    }

    @Test
    void a_thread_that_works_on_behind_its_answer_holds_up_no_request_behind_it() throws Exception {
        var workEnds = new CountDownLatch(1);
        serve(Script.posting((body, exchange) -> {
            exchange.answer(new WholeResponse(200, Json.raw(body)));
            if (body.length == 1) {
                exchange.detaching().orElseThrow().run();
                Blocking.await(workEnds);
            }
        }));
        try (var client = new RawHttp(site().url())) {
            assertThat(client.send("POST", JSON, "1").response().body()).isEqualTo("1");
            assertThat(client.send("POST", JSON, "22").response().body()).isEqualTo("22");
        } finally {
            workEnds.countDown();
        }
    }

    @Test
    void closing_the_transport_ends_open_streams_and_interrupts_what_waits() throws Exception {
        var interrupted = new CountDownLatch(1);
        var waits = new CountDownLatch(1);
        var served = serve(new Script(
                (body, exchange) -> {
                    try {
                        waits.countDown();
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                    }
                },
                exchange -> exchange.stream(Map.of())));
        try (var client = new RawHttp(served.url());
                var waiting = new RawHttp(served.url())) {
            client.send("GET", EVENTS, "").response();
            waiting.send("POST", JSON, "{}");
            Blocking.await(waits);
            served.transport().close();
            client.end();
            Blocking.await(interrupted);
        }
    }
}
