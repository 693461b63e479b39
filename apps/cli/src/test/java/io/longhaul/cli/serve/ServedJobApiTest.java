// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.longhaul.cli.Cli;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.testkit.LocalHttp;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A served file with a tool in front of an API, whose answers lead to other hosts, too. */
@Timeout(120)
class ServedJobApiTest {

    private static final String ASKS = "elicit: {key: place, message: 'Where is {what}?', fields: {name: string}}";

    @TempDir
    Path folder;

    private final TestTerminal user = TestTerminal.silent();
    private final List<Seen> seen = new CopyOnWriteArrayList<>();

    /** The answers by the paths of requests: a word to answer with, or the address of a redirect. */
    private final Map<String, String> answers = new ConcurrentHashMap<>();

    private volatile Charset charset = UTF_8;

    private LocalHttp api;
    private LocalHttp named;
    private LocalHttp stranger;

    private record Seen(String host, String request, Headers headers) {}

    @BeforeEach
    void begin() throws IOException {
        api = new LocalHttp("/", exchange -> serve("api", exchange));
        named = new LocalHttp("/", exchange -> serve("named", exchange));
        stranger = new LocalHttp("/", exchange -> serve("stranger", exchange));
        var token = Files.writeString(folder.resolve("token"), "hunter2");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    }

    @AfterEach
    void end() {
        api.close();
        named.close();
        stranger.close();
    }

    private void serve(String host, HttpExchange exchange) throws IOException {
        try (exchange) {
            var path = exchange.getRequestURI().getPath();
            var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            var request = exchange.getRequestMethod() + " " + path + " " + body;
            seen.add(new Seen(host, request.strip(), exchange.getRequestHeaders()));
            var said = answers.getOrDefault(path, "");
            boolean isRedirect = said.startsWith("http");
            if (isRedirect || path.equals("/jobs")) {
                exchange.getResponseHeaders().set("Location", isRedirect ? said : "/jobs/7");
            }
            exchange.getResponseHeaders().set("Content-Type", "text/plain");
            var bytes = isRedirect ? new byte[0] : said.getBytes(charset);
            // A job without an answer runs.
            exchange.sendResponseHeaders(
                    !answers.containsKey(path) ? 202 : isRedirect ? 302 : 200, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private ServedFile file(String http) throws IOException {
        return file(http, "");
    }

    private ServedFile file(String http, String tool) throws IOException {
        var yaml = """
                tools:
                  job:
                    input: {what: string = all}
                    http:
                      url: ORIGIN/jobs
                      headers: {Authorization: {file: token, before: "Bearer "}, X-Team: blue}
                """.replace("ORIGIN", api.origin());
        return ServedFile.at(
                0,
                Files.writeString(folder.resolve("tools.yaml"), yaml + http.indent(6) + tool.indent(4)),
                folder.resolve("data"));
    }

    private int run(String... line) {
        return new Cli(user.terminal()).run(List.of(line));
    }

    private List<String> requests(String host) {
        return seen.stream()
                .filter(request -> request.host().equals(host))
                .map(Seen::request)
                .toList();
    }

    private void assertNoHeaderLeftTheApi() {
        assertThat(seen)
                .allSatisfy(request -> assertThat(request.headers().containsKey("X-Team"))
                        .isEqualTo(request.host().equals("api")))
                .allSatisfy(request -> assertThat(request.headers().containsKey("Authorization"))
                        .isEqualTo(request.host().equals("api")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-07-28", "2025-11-25", "sep-1686", "sep-1391", "tools-async", "2025-06-18"})
    void a_job_is_started_with_the_answer_to_a_question(String generation) throws IOException {
        answers.put("/jobs/7", "it ran");
        try (var server = file("json: {what: '{what}', where: '{place.name}'}", ASKS)) {
            assertThat(run("call", server.url(), "job", "what=x", "--yes", "--generation", generation))
                    .isEqualTo(6);
            assertThat(seen).isEmpty();
            var call = new String[] {
                "call", server.url(), "job", "what=x", "--answer", "name=here", "--generation", generation
            };
            assertThat(run(call)).as(user.err()).isZero();
            assertThat(user.err()).contains("tools asks: Where is x?");
            assertThat(user.out()).endsWith("it ran\n");
            assertThat(requests("api"))
                    .containsExactly("POST /jobs {\"what\":\"x\",\"where\":\"here\"}", "GET /jobs/7");
        }
    }

    @Test
    void a_job_that_fails_is_started_again_before_a_person_releases_what_it_says() throws IOException {
        answers.put("/jobs/7", "{\"status\": \"failed\", \"error\": \"a secret\"}");
        var tool = "retry: {count: 1}\n" + ASKS.replace("}}", "}, after: true}");
        try (var server = file("status: " + api.origin() + "/jobs/{job.id}", tool)) {
            assertThat(run("call", server.url(), "job")).isEqualTo(6);
            assertThat(requests("api").stream().filter(request -> request.startsWith("POST")))
                    .hasSize(2);
            assertThat(user.err()).contains("Attempt 1 of at most 2 failed; the next one begins in 0 ms.");
            assertThat(user.out() + user.err()).contains("elicitation/create").doesNotContain("a secret");
        }
    }

    @Test
    void an_answer_that_is_not_utf_8_is_text() throws IOException {
        charset = ISO_8859_1;
        answers.put("/jobs/7", "caf\u00e9 cr\u00e8me");
        try (var server = file("")) {
            assertThat(run("call", server.url(), "job")).as(user.err()).isZero();
        }
        assertThat(user.out()).isEqualTo("caf\u00e9 cr\u00e8me\n");
    }

    @Test
    void a_null_for_an_input_with_a_default_is_sent_as_the_default() throws IOException {
        answers.put("/jobs/7", "it ran");
        try (var server = file("json: {what: '{what}'}")) {
            assertThat(run("call", server.url(), "job", "--json", "{\"what\":null}"))
                    .as(user.err())
                    .isZero();
        }
        assertThat(requests("api")).startsWith("POST /jobs {\"what\":\"all\"}");
    }

    @Test
    void a_job_of_a_tool_that_has_another_name_now_is_followed_and_not_started_again() throws IOException {
        String task;
        try (var server = file("")) {
            assertThat(run("call", server.url(), "job", "--detach"))
                    .as(user.err())
                    .isZero();
            task = user.out().strip().replaceFirst(server.url() + ".*", "").replaceFirst(".*/([^/]+)/$", "$1");
            while (!requests("api").contains("GET /jobs/7")) {
                Thread.onSpinWait();
            }
        }
        answers.put("/jobs/7", "it ran");
        var tools = folder.resolve("tools.yaml");
        Files.writeString(tools, Files.readString(tools).replace("  job:\n", "  work:\n    formerly: job\n"));
        try (var server = ServedFile.at(0, tools, folder.resolve("data"))) {
            assertThat(run("tasks", "result", server.url(), task))
                    .as(user.err())
                    .isZero();
        }
        assertThat(user.out()).endsWith("it ran\n");
        assertThat(requests("api"))
                .filteredOn(request -> request.startsWith("POST"))
                .hasSize(1);
    }

    @Test
    void a_redirect_is_followed_to_a_host_that_the_file_names_and_takes_no_header_there() throws IOException {
        answers.put("/jobs/7", named.origin() + "/out");
        answers.put("/out", "it is there");
        try (var server = file("hosts: ['" + named.origin() + "']")) {
            assertThat(run("call", server.url(), "job", "what=x"))
                    .as(user.err())
                    .isZero();
        }
        assertThat(user.out()).endsWith("it is there\n");
        assertThat(requests("named")).containsExactly("GET /out");
        assertNoHeaderLeftTheApi();
    }

    @Test
    void a_redirect_back_to_the_api_has_its_headers_again() throws IOException {
        answers.put("/jobs/7", named.origin() + "/out");
        answers.put("/out", api.origin() + "/back");
        answers.put("/back", "it is here");
        try (var server = file("hosts: ['" + named.origin() + "']")) {
            assertThat(run("call", server.url(), "job", "what=x"))
                    .as(user.err())
                    .isZero();
        }
        assertThat(user.out()).endsWith("it is here\n");
        assertThat(requests("api")).endsWith("GET /back");
        assertNoHeaderLeftTheApi();
    }

    @Test
    void a_redirect_to_a_host_that_the_file_does_not_name_is_refused_on_whatever_way_it_comes() throws IOException {
        answers.put("/jobs/7", stranger.origin() + "/out");
        try (var server = file("")) {
            assertThat(run("call", server.url(), "job", "what=x")).isEqualTo(1);
            assertThat(user.out()).contains("at a host that this tool may not call");
        }
        answers.put("/jobs/7", named.origin() + "/out");
        answers.put("/out", stranger.origin() + "/out");
        try (var server = file("hosts: ['" + named.origin() + "']")) {
            assertThat(run("call", server.url(), "job", "what=x")).isEqualTo(1);
            assertThat(user.out()).contains("at a host that this tool may not call");
        }
        assertThat(requests("named")).containsExactly("GET /out");
        assertThat(requests("stranger")).isEmpty();
        assertNoHeaderLeftTheApi();
    }
}
