// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import io.longhaul.protocol.transport.TurnedAway;
import io.longhaul.testkit.talk.RawHttp;
import io.longhaul.transport.Site;
import io.longhaul.transport.Site.Call;
import io.longhaul.transport.Site.Hook;
import io.longhaul.transport.Site.Page;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Other systems that say that something has happened, with what their hook reads of it. */
@Timeout(60)
class HooksTest {

    private final List<String> taken = new CopyOnWriteArrayList<>();

    private final TurnedAwayOnly endpoint = new TurnedAwayOnly();
    private final Http http = Http.onPort(0)
            .limits(new WireLimits(64, 64, 10, Duration.ofHours(1), 10))
            .principals(header -> new Resolution.Refused(401, Map.of(), "Who is that?"))
            .site(Site.NONE
                    .hooked("/hooks/", Hook.ofAddresses(rest -> {
                        taken.add(rest);
                        return rest.equals("good");
                    }))
                    .hooked("/read/", this::read));

    /** What a hook makes of a call that it reads. */
    private Page read(Call call) throws IOException {
        var said = call.header("X-Said").orElse("nothing");
        if (said.equals("fail")) {
            throw new IllegalStateException("the secret of the server");
        }
        return call.body()
                .map(body -> Page.json(200, Json.raw('"' + said + ' ' + new String(body, US_ASCII) + '"')))
                .orElseGet(() -> Page.refused(413, "Send less."));
    }

    @BeforeEach
    void start() {
        http.start(endpoint);
    }

    @AfterEach
    void close() {
        http.close();
    }

    private RawHttp.Response ask(String method, String path, String headers) throws IOException {
        try (var client = new RawHttp(http.port())) {
            return client.send(RawHttp.head(method, headers).replaceFirst("/mcp", path) + "\r\n")
                    .response();
        }
    }

    @Test
    void a_hook_is_told_the_rest_of_its_path_and_needs_no_authorization() throws IOException {
        assertThat(ask("POST", "/hooks/good", "").status()).isEqualTo(202);
        assertThat(taken).containsExactly("good");
        assertThat(endpoint.heard).isEmpty();
    }

    @Test
    void the_body_of_a_call_is_left_unread() throws IOException {
        try (var client = new RawHttp(http.port())) {
            var head = RawHttp.head("POST", "Content-Type: text/plain\r\nContent-Length: 5\r\n");
            assertThat(client.send(head.replaceFirst("/mcp", "/hooks/good") + "\r\nhello")
                            .response()
                            .status())
                    .isEqualTo(202);
        }
    }

    @Test
    void a_path_that_the_hook_does_not_take_is_refused_and_those_who_run_the_server_are_told() throws IOException {
        assertThat(ask("POST", "/hooks/forged", "")).satisfies(response -> {
            assertThat(response.status()).isEqualTo(403);
            assertThat(response.body())
                    .contains("This address was not given out")
                    .doesNotContain("forged");
        });
        assertThat(endpoint.heard).containsExactly(new TurnedAway(403, null, "127.0.0.1"));
    }

    private RawHttp.Response send(String headers, String body) throws IOException {
        try (var client = new RawHttp(http.port())) {
            var head = RawHttp.head("POST", headers + "Content-Length: " + body.length() + "\r\n");
            return client.send(head.replaceFirst("/mcp", "/read/") + "\r\n" + body)
                    .response();
        }
    }

    @Test
    void a_hook_reads_headers_and_a_body_as_they_were_sent() throws IOException {
        assertThat(send("x-said: hello\r\n", "world").body()).isEqualTo("\"hello world\"");
    }

    @Test
    void a_body_that_is_too_large_is_not_read() throws IOException {
        assertThat(send("", "x".repeat(65)).status()).isEqualTo(413);
        assertThat(send("", "x".repeat(64)).status()).isEqualTo(200);
    }

    @Test
    void a_caller_is_told_that_a_hook_failed_and_not_how() throws IOException {
        assertThat(send("X-Said: fail\r\n", "")).satisfies(response -> {
            assertThat(response.status()).isEqualTo(500);
            assertThat(response.body()).isEqualTo("{\"error\":\"The server failed to answer: see its log.\"}");
        });
    }

    @Test
    void a_look_at_a_hook_is_no_call() throws IOException {
        for (var method : List.of("GET", "OPTIONS", "DELETE")) {
            var answer = ask(method, "/hooks/good", "");
            assertThat(answer.status()).as(method).isEqualTo(405);
            assertThat(answer.headers()).as(method).containsEntry("allow", "POST");
            assertThat(answer.body()).as(method).startsWith("{\"error\":\"").endsWith("POST.\"}");
        }
        assertThat(taken).isEmpty();
    }

    @Test
    void a_page_of_elsewhere_cannot_call() throws IOException {
        var answer = ask("POST", "/hooks/good", "Origin: https://evil.example\r\n");
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).startsWith("{\"error\":\"This Origin is not served here");
        assertThat(taken).isEmpty();
    }

    @Test
    void what_only_looks_like_a_hook_is_none() throws IOException {
        assertThat(ask("POST", "/hooks", "").status()).isEqualTo(404);
        assertThat(ask("POST", "/mcp", "").status()).isEqualTo(401);
        assertThat(taken).isEmpty();
    }
}
