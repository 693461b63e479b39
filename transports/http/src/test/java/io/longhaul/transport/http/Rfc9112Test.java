// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.testkit.talk.RawHttp;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/1.1 to the letter, byte by byte. The server answers every message with itself. */
@Timeout(60)
class Rfc9112Test {

    private static final String JSON = "Content-Type: application/json\r\n";
    private static final String CHUNKED = JSON + "Transfer-Encoding: chunked\r\n";
    private static final String BODY = JSON + "Content-Length: 2\r\n\r\n{}";

    private final Http http = Http.onPort(0).limits(new WireLimits(100_000, 64, 1, Duration.ofHours(1), 1));

    @BeforeEach
    void serve() {
        http.start(Script.posting((body, exchange) -> {
            if (exchange.header("X-Stream").isEmpty()) {
                exchange.answer(new WholeResponse(200, Json.raw(body)));
                return;
            }
            try (var stream = exchange.stream(Map.of())) {
                stream.send(null, Json.raw(body));
            }
        }));
    }

    @AfterEach
    void close() {
        http.close();
    }

    private RawHttp client() throws IOException {
        return new RawHttp(http.port());
    }

    private static String post(String target, String headers) {
        return "POST " + target + " HTTP/1.1\r\nHost: localhost\r\n" + headers;
    }

    private RawHttp.Response ask(String request) throws IOException {
        try (var client = client()) {
            return client.send(request).response();
        }
    }

    private static void assertIsLast(RawHttp.Response response, RawHttp client) throws IOException {
        assertThat(response.headers()).containsEntry("connection", "close");
        assertThat(client.isClosedByServer()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"close", "Close", "keep-alive, close", "keep-alive\r\nConnection: close"})
    void a_connection_is_closed_after_the_answer_to_a_request_that_says_close(String value) throws IOException {
        try (var client = client()) {
            client.post("{}", "Connection: " + value + "\r\n").post("{\"next\":1}");
            var response = client.response();
            assertThat(response.body()).isEqualTo("{}");
            assertIsLast(response, client);
        }
    }

    @Test
    void a_connection_is_closed_after_the_stream_that_answers_a_request_that_says_close() throws IOException {
        try (var client = client()) {
            client.post("1", "Connection: close\r\nX-Stream: yes\r\n");
            assertThat(client.responseHead().headers()).containsEntry("connection", "close");
            assertThat(client.rest()).isEqualTo("3\r\n:\n\n\r\n9\r\ndata: 1\n\n\r\n0\r\n\r\n");
        }
    }

    @Test
    void a_connection_stays_open_without_a_word() throws IOException {
        try (var client = client()) {
            assertThat(client.post("{}").response().headers()).doesNotContainKey("connection");
            assertThat(client.post("{}", "Connection: keep-alive\r\n")
                            .response()
                            .status())
                    .isEqualTo(200);
            assertThat(client.post("{}").response().status()).isEqualTo(200);
        }
    }

    @Test
    void a_request_that_is_refused_with_its_body_unread_has_its_answer_read_before_the_connection_ends()
            throws IOException {
        try (var client = client()) {
            client.send(post("/other", JSON + "Content-Length: 3000000\r\n\r\n") + "x".repeat(3_000_000));
            var response = client.response();
            assertThat(response.status()).isEqualTo(404);
            assertIsLast(response, client);
        }
    }

    @Test
    void a_client_of_http_1_0_is_answered_and_its_connection_closed() throws IOException {
        try (var client = client()) {
            client.send("POST /mcp HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n" + BODY);
            var response = client.response();
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("{}");
            assertIsLast(response, client);
        }
    }

    @Test
    void a_client_of_http_1_0_gets_a_stream_without_chunks() throws IOException {
        try (var client = client()) {
            client.send("POST /mcp HTTP/1.0\r\nHost: localhost\r\nX-Stream: yes\r\n" + BODY);
            assertThat(client.responseHead().headers()).doesNotContainKey("transfer-encoding");
            assertThat(client.rest()).isEqualTo(":\n\ndata: {}\n\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/2.0", "HTTP/0.9", "HTTP/3.0"})
    void another_version_is_refused_as_the_wish_of_the_client_that_it_is(String version) throws IOException {
        var response = ask("GET /mcp " + version + "\r\nHost: localhost\r\n\r\n");
        assertThat(response.status()).isEqualTo(505);
        assertThat(response.body())
                .contains("-32600", "This server speaks HTTP/1.1")
                .doesNotContain("failed");
    }

    @Test
    void extensions_of_chunks_and_fields_after_the_body_are_ignored() throws IOException {
        try (var client = client()) {
            client.send(post("/mcp", CHUNKED)
                            + "\r\n2;name=value;other=\"a b\"\r\n{\"\r\n004 ; flag\r\na\":1\r\n1\r\n}\r\n"
                            + "000;last\r\nX-Sum: 5\r\nConnection: close\r\n\r\n")
                    .post("{}");
            assertThat(client.response().body()).isEqualTo("{\"a\":1}");
            assertThat(client.response().body()).isEqualTo("{}");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\n",
                "x\r\n",
                " 2\r\n{}\r\n0\r\n\r\n",
                "-2\r\n{}\r\n0\r\n\r\n",
                "0x2\r\n{}\r\n0\r\n\r\n",
                "2 x\r\n{}\r\n0\r\n\r\n",
                "2;\u0001\r\n{}\r\n0\r\n\r\n",
                "2\n{}\r\n0\r\n\r\n",
                "2\r\n{}0\r\n\r\n",
                "2\r\n{}xx0\r\n\r\n",
                "2\r\n{}\r\n0\r\nX: a\nY: b\r\n\r\n"
            })
    void broken_chunks_are_refused(String chunks) throws IOException {
        var response = ask(post("/mcp", CHUNKED) + "\r\n" + chunks);
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.headers()).containsEntry("connection", "close");
    }

    @Test
    void nobody_sends_endless_words_beside_chunks() throws IOException {
        assertThat(ask(post("/mcp", CHUNKED) + "\r\n2;" + "x".repeat(5_000)).status())
                .isEqualTo(400);
        var chunk = "1;" + "x".repeat(1_000) + "\r\n \r\n";
        assertThat(ask(post("/mcp", CHUNKED) + "\r\n2\r\n{}\r\n" + chunk.repeat(16) + "0\r\n\r\n")
                        .status())
                .isEqualTo(200);
        assertThat(ask(post("/mcp", CHUNKED) + "\r\n" + chunk.repeat(17)).status())
                .isEqualTo(400);
        assertThat(ask(post("/mcp", CHUNKED) + "\r\n0\r\n" + ("X: " + "y".repeat(1_000) + "\r\n").repeat(20))
                        .status())
                .isEqualTo(431);
        assertThat(ask(post("/mcp", CHUNKED) + "\r\nffffffffffffffffffff\r\n").status())
                .isEqualTo(413);
    }

    @Test
    void the_host_of_an_absolute_target_counts_and_not_the_field() throws IOException {
        assertThat(ask("POST http://localhost:9/mcp HTTP/1.1\r\nHost: evil.example\r\n" + BODY)
                        .status())
                .isEqualTo(200);
        assertThat(ask("POST HTTPS://LOCALHOST/mcp?a=b HTTP/1.1\r\nHost: localhost\r\n" + BODY)
                        .status())
                .isEqualTo(200);
        assertThat(ask(post("http://evil.example/mcp", BODY)).status()).isEqualTo(403);
        assertThat(ask(post("http://localhost", BODY)).status()).isEqualTo(404);
        assertThat(ask("POST http://localhost/mcp HTTP/1.1\r\n" + BODY).status())
                .isEqualTo(400);
    }

    @Test
    void characters_of_a_path_may_be_encoded() throws IOException {
        assertThat(ask(post("/%6Dcp?x", BODY)).status()).isEqualTo(200);
        assertThat(ask(post("/mcp%2F", BODY)).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0001 /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "PO\u0000ST /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "P(ST /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n",
                " POST /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "POST  /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "POST /mcp\r\nHost: localhost\r\n\r\n",
                "POST /mcp HTTP/1.1 \r\nHost: localhost\r\n\r\n",
                "POST /mcp http/1.1\r\nHost: localhost\r\n\r\n",
                "POST /mcp HTTP/11\r\nHost: localhost\r\n\r\n",
                "POST mcp HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "POST ftp://localhost/mcp HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "POST http:///mcp HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "POST http://user@localhost/mcp HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "POST * HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "POST /mcp#part HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "POST /m<cp HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "POST /mcp%4 HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "POST /mcp HTTP/1.1\nHost: localhost\r\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost: localhost\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost: local\rhost\r\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost : localhost\r\n\r\n",
                "POST /mcp HTTP/1.1\r\n Host: localhost\r\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX\r\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: a\u0000b\r\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: \u001fb\r\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: a\u007fb\r\n\r\n",
                "POST /mcp HTTP/1.1\r\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost: a/b\r\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost: a b\r\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: +2\r\n\r\n{}",
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2, 2\r\n\r\n{}",
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n",
                "POST /mcp HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, chunked\r\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, gzip\r\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: identity\r\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding:\r\n\r\n",
            })
    void what_is_no_request_is_a_400_and_ends_its_connection(String request) throws IOException {
        try (var client = client()) {
            var response = client.send(request).post("{\"next\":1}").response();
            assertThat(response.status()).isEqualTo(400);
            assertThat(response.headers()).containsEntry("connection", "close");
            assertThat(response.body())
                    .startsWith("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600")
                    .doesNotContain("Exception", "io.longhaul");
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void a_coding_that_nobody_knows_is_not_implemented() throws IOException {
        assertThat(ask(post("/mcp", JSON + "Transfer-Encoding: gzip, chunked\r\n\r\n"))
                        .status())
                .isEqualTo(501);
    }

    @Test
    void a_request_line_and_header_fields_have_room_and_an_end() throws IOException {
        assertThat(ask(post("/mcp?" + "x".repeat(7_900), BODY)).status()).isEqualTo(200);
        assertThat(ask(post("/mcp?" + "%41".repeat(2_600), BODY)).status()).isEqualTo(200);
        assertThat(ask(post("/mcp?" + "x".repeat(9_000), BODY)).status()).isEqualTo(414);
        assertThat(ask(post("/mcp", "X: " + "y".repeat(15_000) + "\r\n" + BODY)).status())
                .isEqualTo(200);
        assertThat(ask(post("/mcp", "X: y\r\n".repeat(5_000) + BODY)).status()).isEqualTo(431);
    }

    @Test
    void empty_lines_before_a_request_are_ignored() throws IOException {
        try (var client = client()) {
            assertThat(client.send("\r\n\r\n").post("{}").response().status()).isEqualTo(200);
            assertThat(client.send("\r\n").post("{}").response().status()).isEqualTo(200);
        }
        assertThat(ask("\r\n".repeat(20)).status()).isEqualTo(400);
    }

    @Test
    void a_client_that_waits_to_be_told_to_send_its_body_is_told_so_unless_it_is_refused() throws IOException {
        var expects = JSON + "Expect: 100-Continue\r\nContent-Length: ";
        try (var client = client()) {
            client.send(post("/mcp", expects + "2\r\n\r\n"));
            assertThat(client.responseHead().status()).isEqualTo(100);
            assertThat(client.send("{}").response().body()).isEqualTo("{}");
            client.send(post("/mcp", expects + "999999\r\n\r\n"));
            assertThat(client.response().status()).isEqualTo(413);
            assertThat(client.isClosedByServer()).isTrue();
        }
        assertThat(ask("POST /mcp HTTP/1.0\r\nHost: localhost\r\nExpect: 100-continue\r\n" + BODY)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void no_body_comes_where_a_client_expects_none() throws IOException {
        try (var client = client()) {
            client.send(RawHttp.head("HEAD", "\r\n"));
            assertThat(client.responseHead().status()).isEqualTo(405);
            client.send(RawHttp.head("DELETE", "\r\n"));
            var gone = client.responseHead();
            assertThat(gone.status()).isEqualTo(204);
            assertThat(gone.headers()).doesNotContainKeys("content-length", "transfer-encoding");
            assertThat(client.post("{}").response().body()).isEqualTo("{}");
        }
    }

    @Test
    void a_response_says_when_it_was_made() throws IOException {
        for (var request : List.of(post("/mcp", BODY), post("/other", BODY), "nonsense\r\n\r\n")) {
            assertThat(ask(request).headers().get("date"))
                    .matches("[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT");
        }
    }
}
