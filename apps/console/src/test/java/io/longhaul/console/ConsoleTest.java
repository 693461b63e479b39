// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.TaskId;
import io.longhaul.server.DeclinedException;
import io.longhaul.server.Tool;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the console gives to whom, as seen without a browser. */
@Timeout(60)
class ConsoleTest {

    private static final Pattern REFERENCE =
            Pattern.compile("(?:src|href)=\"([a-z]+\\.[a-z]+)\"|from '\\./([a-z]+\\.js)'");

    @AutoClose
    private final HttpClient http = HttpClient.newHttpClient();

    @AutoClose
    private final ConsoleServer served = new ConsoleServer();

    private HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        return http.send(request(path, headers).build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path, String... headers) {
        var request = HttpRequest.newBuilder(served.page().resolve(path));
        return headers.length == 0 ? request : request.headers(headers);
    }

    private static String[] bearer(String token) {
        return new String[] {"Authorization", "Bearer " + token};
    }

    @ParameterizedTest
    @CsvSource({
        "./,text/html; charset=utf-8",
        "console.css,text/css; charset=utf-8",
        "app.js,text/javascript; charset=utf-8"
    })
    void a_page_comes_without_a_token_and_lets_the_browser_load_nothing_from_elsewhere(String path, String type)
            throws Exception {
        var page = get(path);
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type")).contains(type);
        assertThat(page.headers().firstValue("Cache-Control")).contains("no-cache");
        assertThat(page.body()).isNotBlank().doesNotContain(served.token());
        assertGuarded(page);
    }

    private static void assertGuarded(HttpResponse<?> response) {
        assertThat(response.headers()
                        .firstValue("Content-Security-Policy")
                        .orElseThrow()
                        .split("; "))
                .containsExactly(
                        "default-src 'none'",
                        "script-src 'self'",
                        "style-src 'self'",
                        "connect-src 'self'",
                        "img-src 'self' data:",
                        "base-uri 'none'",
                        "form-action 'none'",
                        "frame-ancestors 'none'",
                        "require-trusted-types-for 'script'",
                        "trusted-types 'none'");
        assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(response.headers().firstValue("Referrer-Policy")).contains("no-referrer");
        assertThat(response.headers().firstValue("Cross-Origin-Opener-Policy")).contains("same-origin");
        assertThat(response.headers().firstValue("Cross-Origin-Resource-Policy"))
                .contains("same-origin");
    }

    @Test
    void a_refusal_an_answer_and_a_stream_of_events_have_the_policy_too() throws Exception {
        assertGuarded(get("/console"));
        assertGuarded(get("nothing.js"));
        assertGuarded(get("mcp"));
        assertGuarded(get("./", "Origin", "https://evil.example"));
        assertGuarded(http.send(list(served.token()), BodyHandlers.ofString()));
        var events = http.send(request("events", bearer(served.token())).build(), BodyHandlers.ofInputStream());
        try (var body = events.body()) {
            assertThat(body.read()).isPositive();
            assertGuarded(events);
        }
    }

    @Test
    void whatever_a_page_refers_to_is_served_and_nothing_in_it_is_inline() throws Exception {
        var index = get("./").body();
        assertThat(index).doesNotContain("<style", "style=", "onclick", "http://", "https://");
        assertThat(Pattern.compile("<script(?![^>]*src=)").matcher(index).find())
                .isFalse();
        for (var file : new String[] {
            "./", "app.js", "tasks.js", "task.js", "offers.js", "messages.js", "figures.js", "forms.js"
        }) {
            var references = REFERENCE.matcher(get(file).body());
            while (references.find()) {
                var name = Optional.ofNullable(references.group(1)).orElseGet(() -> references.group(2));
                assertThat(get(name).statusCode())
                        .as(file + " refers to " + name)
                        .isEqualTo(200);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/console,/console/mcp,mcp",
        "/console,/mcp,../mcp",
        "/ops/console,/api/mcp,../../api/mcp",
        "/console,/consoles/mcp,../consoles/mcp"
    })
    void the_pages_find_the_endpoint_wherever_the_server_is_mounted(String path, String endpoint, String relative) {
        var index = new String(
                Console.at(path, endpoint).site().pages().get(path + "/").body(), StandardCharsets.UTF_8);
        assertThat(index).contains("<meta name=\"endpoint\" content=\"" + relative + "\">");
        assertThat(URI.create("http://h" + path + "/").resolve(relative)).hasPath(endpoint);
        assertThat(URI.create("http://h/app" + path + "/").resolve(relative)).hasPath("/app" + endpoint);
    }

    @Test
    void the_path_without_its_slash_leads_to_the_page() throws Exception {
        var moved = get("/console");
        assertThat(moved.statusCode()).isEqualTo(308);
        assertThat(moved.headers().firstValue("Location")).contains("console/");
        assertThat(get("/console/../pom.xml").statusCode()).isEqualTo(404);
        assertThat(get("/console/package-info.class").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mcp", "events"})
    void all_but_the_files_wants_a_token(String path) throws Exception {
        for (var header :
                new String[][] {{"Accept", "*/*"}, bearer("guess"), bearer(""), bearer(served.token() + "x")}) {
            assertThat(get(path, header)).satisfies(refused -> {
                assertThat(refused.statusCode()).isEqualTo(401);
                assertThat(refused.headers().firstValue("WWW-Authenticate")).contains("Bearer");
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/console/", "/console/app.js", "/console/mcp", "/console/events"})
    void a_name_that_was_rebound_to_this_machine_is_given_nothing(String path) throws Exception {
        assertThat(asked(path, "evil.example:" + served.page().getPort())).startsWith("HTTP/1.1 403 ");
        assertThat(asked(path, served.page().getAuthority())).doesNotStartWith("HTTP/1.1 403 ");
    }

    /** The client of the JDK does not let a Host be chosen. */
    private String asked(String path, String host) throws IOException {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), served.page().getPort())) {
            var head = "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void a_page_of_elsewhere_is_given_nothing() throws Exception {
        assertThat(get("./", "Origin", "https://evil.example").statusCode()).isEqualTo(403);
        assertThat(get("events", "Origin", "https://evil.example", "Authorization", "Bearer " + served.token())
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void the_token_has_256_random_bits_and_stays_behind_the_fragment() {
        assertThat(served.token()).matches("[A-Za-z0-9_-]{43}");
        assertThat(served.link().getRawQuery()).isNull();
        try (var other = new ConsoleServer()) {
            assertThat(other.token()).isNotEqualTo(served.token());
        }
    }

    @Test
    void the_bearer_of_the_token_is_an_operator_and_lists_the_tasks_of_all_owners() throws Exception {
        served.start(new Owner("alice"), "draw_chart", Map.of());
        served.start("draw_chart");
        assertThat(http.send(list(served.token()), BodyHandlers.ofString()).body())
                .contains("\"owner\":\"alice\"", "\"owner\":\"local\"");
        assertThat(http.send(list(ConsoleServer.ALICE), BodyHandlers.ofString()).body())
                .contains("\"owner\":\"alice\"")
                .doesNotContain("\"owner\":\"local\"");
    }

    private HttpRequest list(String token) {
        var meta = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"t\",\"version\":\"1\"},"
                + "\"io.modelcontextprotocol/clientCapabilities\":{}}";
        return request("mcp", bearer(token))
                .header("Content-Type", "application/json")
                .header("MCP-Protocol-Version", "2026-07-28")
                .header("Mcp-Method", "io.longhaul/tasks/list")
                .POST(BodyPublishers.ofString("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"io.longhaul/tasks/list\","
                        + "\"params\":{" + meta + "}}"))
                .build();
    }

    @Test
    void an_operator_hears_of_the_tasks_of_all_owners_and_of_figures() throws Exception {
        try (var events = events(served.token())) {
            assertThat(event(events, "hello")).contains("\"owner\":\"local\"", "\"operator\":true");
            var task = served.start(new Owner("alice"), "draw_chart", Map.of());
            assertThat(event(events, "tasks")).contains(task);
            assertThat(event(events, "figures")).contains("\"created\":", "\"working\":");
        }
    }

    @Test
    void figures_count_a_task_that_a_person_declined_apart_from_those_that_failed() throws Exception {
        served.server().addTool(Tool.define("asks").longRunning().handler((none, task) -> {
            throw new DeclinedException("not now");
        }));
        try (var events = events(served.token())) {
            served.start("asks");
            var figures = event(events, "figures");
            while (!figures.contains("\"declined\":1")) {
                assertThat(figures).doesNotContain("\"failed\":1");
                figures = event(events, "figures");
            }
        }
    }

    @Test
    void a_user_hears_of_its_own_tasks_alone_and_of_no_figures() throws Exception {
        try (var events = events(ConsoleServer.ALICE)) {
            assertThat(event(events, "hello")).contains("\"owner\":\"alice\"", "\"operator\":false");
            var other = served.start("draw_chart");
            var own = served.start(new Owner("alice"), "draw_chart", Map.of());
            var heard = new StringBuilder();
            while (heard.indexOf(own) < 0) {
                heard.append(events.readLine());
            }
            assertThat(heard).doesNotContain(other).doesNotContain("figures");
        }
    }

    @Test
    void a_task_that_is_removed_is_told_without_its_id() throws Exception {
        var task = served.start("draw_chart");
        try (var watch = served.server().tasks().watch(new TaskId(task), 0).orElseThrow()) {
            while (watch.next().isPresent()) {
                // Until its work has ended.
            }
        }
        try (var events = events(served.token())) {
            event(events, "hello");
            served.server().tasks().delete(new TaskId(task));
            var told = event(events, "tasks");
            while (!told.contains("\"any\":true")) {
                told = event(events, "tasks");
            }
            assertThat(told).doesNotContain(task);
        }
    }

    private BufferedReader events(String token) throws IOException, InterruptedException {
        var response = http.send(request("events", bearer(token)).build(), BodyHandlers.ofInputStream());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).contains("text/event-stream");
        return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    private static String event(BufferedReader events, String type) throws IOException {
        var line = events.readLine();
        while (!line.startsWith("data: {\"type\":\"" + type + "\"")) {
            line = events.readLine();
        }
        return line;
    }

    @ParameterizedTest
    @ValueSource(strings = {"console", "/console/", "/", "/a b", ""})
    void what_can_be_no_path_is_told(String path) {
        assertThatIllegalArgumentException().isThrownBy(() -> Console.at(path)).withMessageContaining("is none");
    }

    @Test
    void a_key_does_not_tell_itself() {
        var key = ConsoleKey.random(new SecureRandom());
        var link = key.link(URI.create("http://127.0.0.1:1/console/"));
        assertThat(key.toString()).doesNotContain(link.getFragment().substring("token=".length()));
    }
}
