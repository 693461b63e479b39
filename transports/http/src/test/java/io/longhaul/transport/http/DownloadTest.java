// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import io.longhaul.protocol.transport.TurnedAway;
import io.longhaul.testkit.talk.RawHttp;
import io.longhaul.transport.Site;
import io.longhaul.transport.Site.Content;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is read at addresses that are their own authorization, and can have any length. */
@Timeout(60)
class DownloadTest {

    private static final int LONG = 5_000_000;

    private final List<Optional<String>> ranges = new CopyOnWriteArrayList<>();
    private final AtomicInteger closed = new AtomicInteger();
    private final TurnedAwayOnly endpoint = new TurnedAwayOnly();
    private final Http http = Http.onPort(0)
            .principals(header -> new Resolution.Refused(401, Map.of(), "Who is that?"))
            .site(Site.NONE.downloaded("/results/", this::open));

    @BeforeEach
    void start() {
        http.start(endpoint);
    }

    @AfterEach
    void close() {
        http.close();
    }

    private Content open(String rest, @Nullable String range) {
        ranges.add(Optional.ofNullable(range));
        var some = "some".getBytes(US_ASCII);
        return switch (rest) {
            case "sized" -> new Content(200, Map.of("Content-Length", "4", "X-Kind", "sized"), body(some));
            case "unsized" -> new Content(206, Map.of(), body(some));
            case "long" -> new Content(200, Map.of("Content-Length", "" + LONG), body(new byte[LONG]));
            case "broken" -> new Content(200, Map.of("Content-Length", "8"), breaking(some));
            case "broken-unsized" -> new Content(200, Map.of(), breaking(some));
            case "broken-by-a-fault" -> new Content(200, Map.of("Content-Length", "8"), faulty());
            case "failed" -> throw new IllegalStateException("a secret of the server");
            default -> new Content(404, Map.of("Content-Length", "4"), body(some));
        };
    }

    private InputStream body(byte[] bytes) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
    }

    private InputStream breaking(byte[] bytes) {
        return new SequenceInputStream(body(bytes), new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("broken off");
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                throw new IOException("broken off");
            }
        });
    }

    private static InputStream faulty() {
        return new ByteArrayInputStream(new byte[0]) {
            @Override
            public int read(byte[] into, int offset, int length) {
                throw new IllegalStateException("a secret of the server");
            }
        };
    }

    private static String request(String method, String path, String headers) {
        return RawHttp.head(method, headers).replaceFirst("/mcp", path) + "\r\n";
    }

    private RawHttp.Response ask(String method, String path, String headers) throws IOException {
        try (var client = new RawHttp(http.port())) {
            return client.send(request(method, path, headers)).response();
        }
    }

    @Test
    void what_has_a_known_length_is_sent_so_and_the_connection_goes_on() throws IOException {
        try (var client = new RawHttp(http.port())) {
            for (int i = 0; i < 2; i++) {
                var response = client.send(request("GET", "/results/sized", "")).response();
                assertThat(response.status()).isEqualTo(200);
                assertThat(response.body()).isEqualTo("some");
                assertThat(response.headers())
                        .containsEntry("x-kind", "sized")
                        .containsEntry("content-length", "4")
                        .doesNotContainKey("transfer-encoding");
            }
        }
        assertThat(closed).hasValue(2);
        assertThat(endpoint.heard).isEmpty();
    }

    @Test
    void what_has_no_known_length_is_sent_in_chunks() throws IOException {
        try (var client = new RawHttp(http.port())) {
            var head = client.send(request("GET", "/results/unsized", "")).responseHead();
            assertThat(head.status()).isEqualTo(206);
            assertThat(head.headers()).containsEntry("transfer-encoding", "chunked");
            assertThat(client.chunk()).isEqualTo("some");
            assertThat(client.chunk()).isEmpty();
        }
    }

    @Test
    void what_is_longer_than_a_part_arrives_whole() throws IOException {
        assertThat(ask("GET", "/results/long", "").body()).hasSize(LONG);
    }

    @Test
    void head_gets_the_head_alone_and_the_connection_goes_on() throws IOException {
        try (var client = new RawHttp(http.port())) {
            var head = client.send(request("HEAD", "/results/sized", "")).responseHead();
            assertThat(head.headers()).containsEntry("content-length", "4");
            client.send(request("HEAD", "/results/unsized", "")).responseHead();
            assertThat(client.send(request("GET", "/results/sized", ""))
                            .response()
                            .body())
                    .isEqualTo("some");
        }
    }

    @Test
    void the_range_of_a_request_is_passed_on() throws IOException {
        ask("GET", "/results/sized", "Range: bytes=1-2\r\n");
        ask("GET", "/results/sized", "");
        assertThat(ranges).containsExactly(Optional.of("bytes=1-2"), Optional.empty());
    }

    @Test
    void what_breaks_off_is_cut_so_that_nobody_takes_it_for_the_whole() throws IOException {
        for (var path : List.of("/results/broken", "/results/broken-unsized")) {
            try (var client = new RawHttp(http.port())) {
                client.send(request("GET", path, "")).responseHead();
                assertThat(client.rest()).contains("some").doesNotContain("\r\n0\r\n");
            }
        }
    }

    @Test
    void an_unknown_address_is_told_to_those_who_run_the_server() throws IOException {
        assertThat(ask("GET", "/results/guessed", "").status()).isEqualTo(404);
        assertThat(endpoint.heard).containsExactly(new TurnedAway(404, null, "127.0.0.1"));
    }

    @Test
    void what_goes_wrong_inside_stays_there() throws IOException {
        assertThat(ask("GET", "/results/failed", "")).satisfies(response -> {
            assertThat(response.status()).isEqualTo(500);
            assertThat(response.body()).doesNotContain("secret");
        });
    }

    @Test
    void what_goes_wrong_inside_in_the_middle_is_cut() throws IOException {
        try (var client = new RawHttp(http.port())) {
            client.send(request("GET", "/results/broken-by-a-fault", ""));
            assertThat(client.rest()).doesNotContain("secret");
        }
    }

    @Test
    void nothing_but_a_look_is_taken_and_no_page_of_elsewhere_looks() throws IOException {
        for (var method : List.of("POST", "DELETE", "OPTIONS")) {
            var answer = ask(method, "/results/sized", "");
            assertThat(answer.status()).as(method).isEqualTo(405);
            assertThat(answer.body()).startsWith("{\"error\":\"").endsWith("GET, HEAD.\"}");
        }
        assertThat(ask("GET", "/results/sized", "Origin: https://evil.example\r\n")
                        .status())
                .isEqualTo(403);
        assertThat(ask("GET", "/results", "").status()).isEqualTo(404);
        assertThat(ranges).isEmpty();
    }
}
