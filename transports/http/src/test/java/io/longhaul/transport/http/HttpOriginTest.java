// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.testkit.talk.RawHttp;
import io.longhaul.transport.streamable.request.OriginPolicy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A page whose name an attacker rebound to this machine reaches nothing, and nor does any other foreign page. */
@Timeout(60)
class HttpOriginTest {

    private final Http http = Http.onPort(0);

    @AfterEach
    void close() {
        http.close();
    }

    private RawHttp.Response post(String headers) throws IOException {
        try (var client = new RawHttp(http.port())) {
            return client.post("{}", headers).response();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:80",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "127.0.0.2",
                "0.0.0.0",
                "localhost:99999",
                "[::2]",
                "2130706433"
            })
    void a_foreign_host_is_forbidden(String host) throws IOException {
        http.start(Script.ECHO);
        var response = post("Host: " + host + "\r\n");
        assertThat(response.status()).isEqualTo(403);
        assertThat(response.body()).startsWith("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:8080", "127.0.0.1:1", "[::1]", "[::1]:65535"})
    void the_names_of_this_machine_are_served(String host) throws IOException {
        http.start(Script.ECHO);
        assertThat(post("Host: " + host + "\r\n").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "http://evil.example",
                "https://localhost.evil.example",
                "http://localhost@evil.example",
                "file://localhost",
                "http://localhost/",
                "http://localhost:0x50",
                "*"
            })
    void a_foreign_origin_is_forbidden_for_every_method_and_gets_no_cors_header(String origin) throws IOException {
        http.start(Script.ECHO);
        for (var method : new String[] {"POST", "GET", "DELETE", "OPTIONS"}) {
            try (var client = new RawHttp(http.port())) {
                var response = client.send(RawHttp.head(method, "Origin: " + origin + "\r\n\r\n"))
                        .response();
                assertThat(response.status()).isEqualTo(403);
                assertThat(response.headers()).doesNotContainKey("access-control-allow-origin");
            }
        }
    }

    @Test
    void a_page_of_this_machine_may_call_and_is_named_back_never_a_wildcard() throws IOException {
        http.start(Script.ECHO);
        var response = post("Origin: http://localhost:5173\r\n");
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.headers())
                .containsEntry("access-control-allow-origin", "http://localhost:5173")
                .containsEntry("vary", "Origin");
    }

    @Test
    void a_preflight_is_answered_for_allowed_origins() throws IOException {
        http.allowOrigins("https://App.example.com").start(Script.ECHO);
        try (var client = new RawHttp(http.port())) {
            var response = client.send(RawHttp.head(
                            "OPTIONS",
                            "Origin: https://app.example.com\r\nAccess-Control-Request-Method: POST\r\n"
                                    + "Access-Control-Request-Headers: content-type,mcp-session-id\r\n\r\n"))
                    .response();
            assertThat(response.status()).isEqualTo(204);
            assertThat(response.headers())
                    .containsEntry("access-control-allow-origin", "https://app.example.com")
                    .containsEntry("access-control-allow-headers", "content-type,mcp-session-id");
            assertThat(client.send(RawHttp.head("OPTIONS", "\r\n")).response().status())
                    .isEqualTo(405);
        }
    }

    @Test
    void what_could_never_be_asked_from_is_a_mistake() {
        for (String origin :
                List.of("*", "app.example.com", "https://app.example.com/", "https://*.example.com", "null")) {
            assertThatThrownBy(() -> http.allowOrigins(origin)).hasMessageContainingAll("An origin is", origin);
        }
        for (String host : List.of("*", "example.com:80", "https://example.com", "")) {
            assertThatThrownBy(() -> http.allowHosts(host)).hasMessageContainingAll("A host is", host);
        }
        http.allowOrigins("https://app.example.com:8443", "http://[::1]:3000", "vscode-webview://abc");
        http.allowHosts("[::1]", "Tasks.example.com");
    }

    @Test
    void an_allowed_host_is_served_with_its_pages() throws IOException {
        http.allowHosts("tasks.example.com").start(Script.ECHO);
        assertThat(post("Host: tasks.example.com:8080\r\nOrigin: https://tasks.example.com\r\n")
                        .status())
                .isEqualTo(200);
        assertThat(post("Host: other.example.com\r\n").status()).isEqualTo(403);
    }

    @Test
    void unless_told_otherwise_only_this_machine_can_connect() throws IOException {
        http.start(Script.ECHO);
        assertThat(http.isLocal()).isTrue();
        assertThat(post("Host: localhost\r\n").status()).isEqualTo(200);
        try (var other = new Socket()) {
            // It is an address of this machine, too, and would be reached if all of them were listened on.
            var address = new InetSocketAddress("127.0.0.2", http.port());
            assertThatThrownBy(() -> other.connect(address, 5_000)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void on_an_open_address_any_host_is_served_but_no_page() throws IOException {
        http.bindAddress("0.0.0.0")
                .start(Script.posting((body, exchange) -> exchange.answer(new WholeResponse(
                        200, Json.raw("\"" + exchange.principal().name() + "\"")))));
        assertThat(http.isLocal()).isFalse();
        assertThat(post("Host: any.example\r\n").body()).isEqualTo("\"anonymous\"");
        assertThat(post("Host: evil.example\r\nOrigin: http://evil.example\r\n").status())
                .isEqualTo(403);
        assertThat(post("Host: any.example\r\nOrigin: http://localhost\r\n").status())
                .isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource({
        "tasks.example:9090, http://tasks.example:9090, 200",
        "tasks.example, https://TASKS.example, 200",
        "10.0.0.7:9090, http://10.0.0.7:9090, 200",
        "tasks.example:9090, http://tasks.example:8080, 403",
        "tasks.example:9090, http://evil.example:9090, 403",
        "tasks.example:9090, null, 403",
        "tasks.example:9090, ftp://tasks.example:9090, 403",
        "tasks(example, http://tasks(example, 403"
    })
    void the_pages_of_an_open_address_itself_are_served_where_that_is_said(String host, String origin, int status)
            throws IOException {
        http.bindAddress("0.0.0.0").allowSameOrigin().start(Script.ECHO);
        assertThat(post("Host: " + host + "\r\nOrigin: " + origin + "\r\n").status())
                .isEqualTo(status);
    }

    @Test
    void the_same_origin_of_a_host_that_is_not_served_is_not_served() throws IOException {
        http.allowSameOrigin().start(Script.ECHO);
        assertThat(post("Host: evil.example\r\nOrigin: http://evil.example\r\n").status())
                .isEqualTo(403);
    }

    @Test
    void named_hosts_close_an_open_address_to_others() {
        var policy = new OriginPolicy(false, Set.of("a.example"), Set.of(), false);
        assertThat(policy.allowsHost("a.example")).isTrue();
        assertThat(policy.allowsHost("b.example")).isFalse();
        assertThat(policy.allowsHost(null)).isFalse();
    }
}
