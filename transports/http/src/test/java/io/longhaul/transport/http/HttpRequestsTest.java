// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.testkit.talk.RawHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HttpRequestsTest {

    private static final WireLimits SMALL = new WireLimits(100, 64, 1, Duration.ofHours(1), 1);

    private final Http http = Http.onPort(0).limits(SMALL).timeout(Duration.ofMillis(300));

    @AfterEach
    void close() {
        http.close();
    }

    private void serve(Script script) {
        http.start(script);
    }

    private RawHttp client() throws IOException {
        return new RawHttp(http.port());
    }

    private int statusOf(String request) throws IOException {
        try (var client = client()) {
            return client.send(request).response().status();
        }
    }

    @Test
    void a_post_is_answered_with_one_line_of_json_of_known_length() throws IOException {
        serve(Script.ECHO);
        try (var client = client()) {
            var response = client.post("{\"a\":1}").response();

            assertThat(response.status()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("{\"a\":1}");
            assertThat(response.headers())
                    .containsEntry("content-type", "application/json")
                    .containsEntry("content-length", "7")
                    .doesNotContainKey("server");
        }
    }

    @Test
    void a_notification_is_answered_without_a_body() throws IOException {
        serve(Script.posting((body, exchange) -> exchange.answer(new WholeResponse(202, null))));
        try (var client = client()) {
            for (var i = 0; i < 2; i++) {
                var accepted = client.post("{}").response();
                assertThat(accepted.status()).isEqualTo(202);
                assertThat(accepted.body()).isEmpty();
            }
        }
    }

    @Test
    void pipelined_requests_are_answered_in_order_and_share_nothing() throws IOException {
        serve(Script.posting((body, exchange) -> exchange.answer(new WholeResponse(
                200, Map.of("X-Seen", exchange.header("x-once").orElse("none")), Json.raw(body)))));
        try (var client = client()) {
            client.post("1", "X-Once: secret\r\n").post("2").post("3");

            var first = client.response();
            var second = client.response();
            assertThat(first.body()).isEqualTo("1");
            assertThat(first.headers()).containsEntry("x-seen", "secret");
            assertThat(second.body()).isEqualTo("2");
            assertThat(second.headers()).containsEntry("x-seen", "none");
            assertThat(client.response().body()).isEqualTo("3");
        }
    }

    @Test
    void two_clients_at_once_each_get_their_own_answer_though_their_ids_are_the_same() throws IOException {
        var both = new CyclicBarrier(2);
        serve(Script.posting((body, exchange) -> {
            try {
                both.await(10, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            exchange.answer(new WholeResponse(200, Json.raw(body)));
        }));
        try (var one = client();
                var two = client()) {
            one.post("{\"id\":1,\"from\":\"one\"}");
            two.post("{\"id\":1,\"from\":\"two\"}");

            assertThat(two.response().body()).contains("two");
            assertThat(one.response().body()).contains("one");
        }
    }

    @Test
    void another_path_is_not_found_and_another_method_is_told_which_ones_there_are() throws IOException {
        serve(Script.ECHO);
        assertThat(statusOf("POST /other HTTP/1.1\r\nHost: localhost\r\n\r\n")).isEqualTo(404);
        assertThat(statusOf("GET /mcp/../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .isEqualTo(404);
        try (var client = client()) {
            var response = client.send(RawHttp.head("PUT", "\r\n")).response();
            assertThat(response.status()).isEqualTo(405);
            assertThat(response.headers()).containsEntry("allow", "GET, POST, DELETE, OPTIONS");
        }
        assertThat(statusOf(RawHttp.head("DELETE", "\r\n"))).isEqualTo(204);
    }

    @Test
    void only_plain_json_bodies_are_read() throws IOException {
        serve(Script.ECHO);
        assertThat(statusOf(withType("text/plain"))).isEqualTo(415);
        assertThat(statusOf(withType("application/x-www-form-urlencoded"))).isEqualTo(415);
        assertThat(statusOf(withType("text/plain; application/json"))).isEqualTo(415);
        assertThat(statusOf(withType("application/json; charset=iso-8859-1"))).isEqualTo(415);
        assertThat(statusOf(withType("application/json; charset=\"UTF-8\""))).isEqualTo(200);
        assertThat(statusOf(withType("application/json\r\nContent-Encoding: gzip")))
                .isBetween(400, 415);
        assertThat(statusOf(RawHttp.head("POST", "Content-Length: 2\r\n\r\n{}")))
                .isEqualTo(415);
    }

    private static String withType(String type) {
        return RawHttp.head("POST", "Content-Type: " + type + "\r\nContent-Length: 2\r\n\r\n{}");
    }

    @Test
    void an_answer_that_the_client_could_not_read_is_refused_beforehand() throws IOException {
        serve(Script.ECHO);
        try (var client = client()) {
            assertThat(client.post("{}", "Accept: text/html\r\n").response().status())
                    .isEqualTo(406);
        }
        try (var client = client()) {
            assertThat(client.post("{}", "Accept: */*\r\n").response().status()).isEqualTo(200);
            assertThat(client.post("{}", "Accept: text/event-stream;q=0.5, application/json\r\n")
                            .response()
                            .status())
                    .isEqualTo(200);
            assertThat(client.get("Accept: application/json\r\n").response().status())
                    .isEqualTo(406);
        }
    }

    @Test
    void a_body_over_the_limit_is_refused_before_it_is_sent_whole() throws IOException {
        serve(Script.ECHO);
        var type = "Content-Type: application/json\r\n";
        assertThat(statusOf(RawHttp.head("POST", type + "Content-Length: 101\r\n\r\n")))
                .isEqualTo(413);
        assertThat(statusOf(RawHttp.head("POST", type + "Content-Length: 99999999999\r\n\r\n")))
                .isEqualTo(413);
        assertThat(statusOf(RawHttp.head("POST", type + "Transfer-Encoding: chunked\r\n\r\n7fffffff\r\n")))
                .isEqualTo(413);
        var chunk = "32\r\n" + "x".repeat(50) + "\r\n";
        assertThat(statusOf(RawHttp.head("POST", type + "Transfer-Encoding: chunked\r\n\r\n" + chunk + chunk + chunk)))
                .isEqualTo(413);
    }

    @Test
    void a_body_at_the_limit_is_read_plain_and_in_chunks() throws IOException {
        serve(Script.ECHO);
        var body = "x".repeat(100);
        var chunk = "32\r\n" + "x".repeat(50) + "\r\n";
        try (var client = client()) {
            assertThat(client.post(body).response().body()).isEqualTo(body);
            client.send(RawHttp.head("POST", "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
                    + chunk + chunk + "0\r\n\r\n");
            assertThat(client.response().body()).isEqualTo(body);
            assertThat(client.post("{}").response().body()).isEqualTo("{}");
        }
    }

    @Test
    void a_client_that_sends_its_request_too_slowly_is_cut_off() throws IOException {
        serve(Script.ECHO);
        var type = "Content-Type: application/json\r\n";
        try (var halfBody = client();
                var halfHead = client()) {
            halfBody.send(RawHttp.head("POST", type + "Content-Length: 50\r\n\r\n{"));
            halfHead.send("POST /mcp HTTP/1.1\r\nHost: loc");
            assertThat(halfBody.isClosedByServer()).isTrue();
            assertThat(halfHead.isClosedByServer()).isTrue();
        }
        assertThat(statusOf(withType("application/json"))).isEqualTo(200);
    }

    @Test
    void a_slow_answer_is_not_mistaken_for_a_slow_request() throws IOException {
        var cutOff = new CompletableFuture<Void>();
        serve(Script.posting((body, exchange) -> {
            if (new String(body, java.nio.charset.StandardCharsets.UTF_8).equals("1")) {
                cutOff.join();
            }
            exchange.answer(new WholeResponse(200, Json.raw(body)));
        }));
        try (var patient = client();
                var slow = client()) {
            patient.post("1");
            slow.send("POST /mcp HTTP/1.1\r\nHost: loc");
            assertThat(slow.isClosedByServer()).isTrue();
            cutOff.complete(null);
            assertThat(patient.response().body()).isEqualTo("1");
        }
    }

    @Test
    void a_client_that_breaks_off_in_a_body_does_no_harm() throws IOException {
        serve(Script.ECHO);
        try (var client = client()) {
            client.send(RawHttp.head("POST", "Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"));
        }
        assertThat(statusOf(withType("application/json"))).isEqualTo(200);
    }

    @Test
    void malformed_http_is_refused_without_a_word_of_the_server_itself() throws IOException {
        serve(Script.ECHO);
        for (var request : new String[] {
            RawHttp.head("POST", "X: " + "y".repeat(20_000) + "\r\n\r\n"),
            RawHttp.head("POST", "X: y\r\n".repeat(5_000) + "\r\n"),
            RawHttp.head("POST", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"),
            RawHttp.head("POST", "Content-Length: five\r\n\r\n"),
            "GET /mcp HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
            "GET /mcp HTTP/1.1\r\n\r\n",
        }) {
            try (var client = client()) {
                var response = client.send(request).response();
                assertThat(response.status()).as(request).isBetween(400, 499);
                assertThat(response.body())
                        .startsWith("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":")
                        .doesNotContain("Exception", "helidon");
            }
        }
        assertThat(statusOf(withType("application/json"))).isEqualTo(200);
    }

    @Test
    void bytes_that_are_no_request_end_their_connection_alone() throws IOException {
        serve(Script.ECHO);
        for (var request : new String[] {
            RawHttp.head("POST", "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n"),
            "nonsense\r\n\r\n",
            "\u0000\u0001\u0002\r\n\r\n",
            "POST /mcp HTTP/1.0\r\nHost: localhost\r\n\r\n",
        }) {
            try (var client = client();
                    var other = client()) {
                client.send(request);
                while (!client.isClosedByServer()) {
                    // Whether it says why does not matter here.
                    continue;
                }
                assertThat(other.post("{}").response().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void a_handler_that_fails_is_an_internal_error_without_its_text() throws IOException {
        serve(Script.posting((body, exchange) -> {
            throw new IllegalStateException("secret of the inside");
        }));
        try (var client = client()) {
            var response = client.post("{}").response();
            assertThat(response.status()).isEqualTo(500);
            assertThat(response.body()).contains("-32603").doesNotContain("secret", "Exception");
            assertThat(client.post("{}").response().status()).isEqualTo(500);
        }
    }

    @Test
    void a_handler_that_forgets_to_answer_is_an_internal_error() throws IOException {
        serve(Script.posting((body, exchange) -> {}));
        try (var client = client()) {
            assertThat(client.post("{}").response().status()).isEqualTo(500);
        }
    }

    @Test
    void an_answer_cannot_carry_a_header_of_its_own_making() throws IOException {
        serve(Script.posting((body, exchange) ->
                exchange.answer(new WholeResponse(200, Map.of("X-Echo", "a\r\nX-Evil: b"), Json.EMPTY_OBJECT))));
        try (var client = client()) {
            var response = client.post("{}").response();
            assertThat(response.status()).isEqualTo(500);
            assertThat(response.headers()).doesNotContainKey("x-evil");
        }
    }

    @Test
    void the_principal_is_asked_for_on_every_request_of_a_connection() throws IOException {
        http.principals(header -> switch (header.apply("Authorization").orElse("")) {
            case "Bearer a" -> new PrincipalResolver.Resolution.Granted(new Principal("a", Principal.Kind.AUTHORIZED));
            case "Bearer b" ->
                new PrincipalResolver.Resolution.Refused(403, "Bearer error=\"insufficient_scope\"", "No");
            default -> new PrincipalResolver.Resolution.Refused(401, "Bearer", "Send a token");
        });
        serve(Script.posting((body, exchange) -> exchange.answer(
                new WholeResponse(200, Json.raw("\"" + exchange.principal().name() + "\"")))));
        try (var client = client()) {
            assertThat(client.post("{}", "Authorization: Bearer a\r\n")
                            .response()
                            .body())
                    .isEqualTo("\"a\"");
            var refused = client.post("{}").response();
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.headers()).containsEntry("www-authenticate", "Bearer");
        }
        try (var client = client()) {
            var forbidden = client.post("{}", "Authorization: Bearer b\r\n").response();
            assertThat(forbidden.status()).isEqualTo(403);
            assertThat(forbidden.headers()).containsEntry("www-authenticate", "Bearer error=\"insufficient_scope\"");
        }
    }

    @RepeatedTest(50)
    void a_closed_server_frees_its_port_at_once_with_clients_still_connected() throws IOException {
        serve(Script.ECHO);
        var port = http.port();
        try (var idle = client()) {
            idle.post("{}").response();
            http.close();
            try (var again = Http.onPort(port)) {
                again.start(Script.ECHO);
                assertThat(again.port()).isEqualTo(port);
                assertThat(idle.isClosedByServer()).isTrue();
            }
        }
    }

    @Test
    void a_port_that_is_taken_is_an_error_that_says_so() {
        serve(Script.ECHO);
        try (var second = Http.onPort(http.port())) {
            assertThatThrownBy(() -> second.start(Script.ECHO))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("Cannot listen on 127.0.0.1:" + http.port());
        }
    }
}
