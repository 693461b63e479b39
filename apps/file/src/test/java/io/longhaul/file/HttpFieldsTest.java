// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.longhaul.backend.http.HttpBackend;
import io.longhaul.backend.http.address.Downloads;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.file.tree.FileSchema;
import io.longhaul.file.tree.YamlReader;
import io.longhaul.file.work.HttpEntry;
import io.longhaul.testkit.LocalHttp;
import io.longhaul.testkit.RunInMemory;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Each field of {@code http} does what it says, at an API. Without one that is of time a test takes too long. */
@Timeout(25)
class HttpFieldsTest {

    private static final String START = """
        url: "ORIGIN/p/{a}"
        method: PUT
        query: {q: "{a}"}
        headers: {X-Text: "t {a}", X-File: {file: token, before: "F "}, X-Env: {env: CI_TOKEN, before: "E "}}
        json: {v: "{a}"}
        idempotencyKey: true
        """;
    private static final String FORM = """
        url: ORIGIN/p
        form: {f: "{a}"}
        idempotencyKey: X-Id
        """;
    private static final String MAPPED = """
        url: ORIGIN/p
        id: /job/nr
        status:
          url: "ORIGIN/jobs/{job.id}"
          state: /s
          done: [good]
          failed: [bad]
          cancelled: [gone]
          progress: /d
          total: /o
          message: /m
          every: 1ms
        result: {url: "ORIGIN/jobs/{job.id}/log", at: /text}
        partial: "ORIGIN/jobs/{job.id}/out?from={job.offset}"
        error: /why
        cancel: {method: POST, url: "ORIGIN/jobs/{job.id}/stop"}
        """;
    private static final String LINKED = """
        url: ORIGIN/p
        status: {link: /self}
        result: {link: /out}
        hosts: [OTHER]
        """;
    private static final String PATIENT = """
        url: ORIGIN/p
        status: ORIGIN/jobs
        patience: 1s
        """;
    private static final String DOWNLOADED = """
        url: ORIGIN/p
        status: {link: /self}
        result: {link: /out, download: 1h}
        """;
    private static final String TIMED = """
        url: ORIGIN/silent
        timeout: 200ms
        """;

    private static final String LISTED = """
        url: ORIGIN/list
        method: GET
        query:
          some: {value: "{l}", style: form, explode: false}
          more: {value: "{l}", style: pipeDelimited}
          deep: {value: "{o}", style: deepObject}
          each: {value: "{o}", style: form}
          key: {env: CI_TOKEN}
        cookies: {c: "{a}", none: "{n}"}
        headers: {Authorization: {env: CI_TOKEN, user: ci}, X-List: "{l}"}
        pages: {items: /items, next: /more, query: from, most: 2}
        status: none
        """;
    private static final String PARTS = """
        url: ORIGIN/p
        form: {f: "{o.k}", data: {value: "{file}", filename: data.bin}}
        contentType: multipart/form-data
        status: none
        """;
    private static final String TEXT = """
        url: ORIGIN/p
        text: "a {a}"
        contentType: text/csv
        """;

    private static final String GRANTED = """
        url: "ORIGIN/p/{a}"
        auth: {issuer: 'https://login.example.com', clientId: ci, secretFile: token}
        """;

    @TempDir
    Path folder;

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final List<Map<String, String>> headers = new CopyOnWriteArrayList<>();
    private final Map<String, Queue<String>> script = new HashMap<>();
    private final RunInMemory run = aRun();
    private final HttpBackend jobs = HttpBackend.create(
            HttpBackend.DEFAULT_CONNECTIONS,
            null,
            Downloads.at(URI.create("https://tools.example.com"), new MemoryTaskStore().rows()));
    private LocalHttp api;
    private LocalHttp other;

    private static RunInMemory aRun() {
        return new RunInMemory("{\"a\":\"x\"}");
    }

    @BeforeEach
    void begin() throws IOException {
        api = new LocalHttp("/", this::serve);
        other = new LocalHttp("/", this::serve);
        secret("secret\n", "rw-------");
    }

    @AfterEach
    void end() {
        jobs.close();
        api.close();
        other.close();
    }

    private void secret(String text, String permissions) throws IOException {
        var file = Files.writeString(folder.resolve("token"), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    private void serve(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().toString();
        var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        seen.add((exchange.getRequestMethod() + " " + path + " " + body).strip());
        var sent = new HashMap<String, String>();
        exchange.getRequestHeaders().forEach((name, values) -> sent.put(name, values.getFirst()));
        headers.add(sent);
        if (path.equals("/silent")) {
            return;
        }
        var answers = script.get(path);
        var said = answers == null ? "404 {}" : answers.size() > 1 ? answers.remove() : answers.element();
        var bytes = said.substring(4).replace("OTHER", other.origin()).getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(Integer.parseInt(said.substring(0, 3)), bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** What is answered at a path, one after the other; the last one for ever. */
    private void on(String path, String... answers) {
        script.put(path, new ArrayDeque<>(List.of(answers)));
    }

    private Path file(String http, String more) throws IOException {
        var yaml = "tools:\n  t:\n    input: {a: string, 'n?': string, 'l?': 'string[]', 'o?': {type: object},"
                + " 'file?': string}\n" + more + "    http:\n" + http.indent(6);
        return Files.writeString(
                folder.resolve("tools.yaml"),
                yaml.replace("ORIGIN", api.origin()).replace("OTHER", '"' + other.origin() + '"'));
    }

    private Backend backend(String http, String more) throws IOException {
        var entry =
                (HttpEntry) ServerFile.read(file(http, more)).tools().getFirst().work();
        return jobs.running(
                entry.job().apply(Map.of("CI_TOKEN", "hidden")),
                request -> (ObjectNode) JsonMapper.shared().readTree(request.bytes()),
                result -> new Outcome.Result(Payload.ofText(result.text()), !result.succeeded()));
    }

    private String told(String http) throws Exception {
        return told(http, "");
    }

    private String told(String http, String more) throws Exception {
        return ((Outcome.Result) backend(http, more).run(run)).body().text();
    }

    @Test
    void the_request_that_starts_a_job() throws Exception {
        on("/p/x?q=x", "200 \"ok\"");
        assertThat(told(START)).isEqualTo("\"ok\"");
        assertThat(seen).containsExactly("PUT /p/x?q=x {\"v\":\"x\"}");
        assertThat(headers.getFirst())
                .containsEntry("X-text", "t x")
                .containsEntry("X-file", "F secret")
                .containsEntry("X-env", "E hidden")
                .containsKey("Idempotency-key");
    }

    @Test
    void a_form_and_the_name_of_the_header_of_its_key() throws Exception {
        on("/p", "200 {}");
        told(FORM);
        assertThat(seen).containsExactly("POST /p f=x");
        assertThat(headers.getFirst()).containsKey("X-id");
    }

    @Test
    void lists_objects_cookies_and_secrets_of_a_request_for_pages() throws Exception {
        var query = "?deep%5Bk%5D=v&k=v&more=x%7Cy%2Cz&some=x,y%2Cz";
        on("/list" + query + "&key=hidden", "200 {\"items\":[1],\"more\":\"t2\"}");
        on("/list" + query + "&from=t2&key=hidden", "200 {\"items\":[2],\"more\":\"hidden\"}");
        var call = new RunInMemory("{\"a\":\"x y\",\"l\":[\"x\",\"y,z\"],\"o\":{\"k\":\"v\"}}");
        var told = ((Outcome.Result) backend(LISTED, "").run(call)).body().text();
        assertThat(told).isEqualTo("{\"items\":[1,2],\"more\":\"***\"}");
        assertThat(headers)
                .hasSize(2)
                .allSatisfy(sent -> assertThat(sent)
                        .containsEntry("Cookie", "c=x%20y")
                        .containsEntry("Authorization", "Basic Y2k6aGlkZGVu")
                        .containsEntry("X-list", "x,y,z")
                        .doesNotContainKey("Prefer"));
    }

    @Test
    void a_form_of_parts_with_a_file() throws Exception {
        on("/p", "202 {}");
        var call = new RunInMemory("{\"a\":\"x\",\"o\":{\"k\":\"v\"},\"file\":\"aGVsbG8=\"}");
        assertThat(((Outcome.Result) backend(PARTS, "").run(call)).body().text())
                .isEqualTo("{}");
        var boundary = "--" + headers.getFirst().get("Content-type").replaceFirst(".*boundary=", "");
        assertThat(seen.getFirst())
                .isEqualTo(
                        "POST /p " + boundary + "\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\nv\r\n" + boundary
                                + "\r\nContent-Disposition: form-data; name=\"data\"; filename=\"data.bin\"\r\n"
                                + "Content-Type: application/octet-stream\r\n\r\nhello\r\n" + boundary + "--");
    }

    @ParameterizedTest
    @CsvSource({
        "'text: \"a {a}\"', a x",
        "'text: \"\"', ''",
        "'json: {v: \"{a}\"}', '{\"v\":\"x\"}'",
        "'json: \"{n}\"', ''"
    })
    void a_body_of_any_kind_or_none(String field, String sent) throws Exception {
        on("/p", "200 {}");
        told(TEXT.replaceFirst("text: .*", field));
        assertThat(seen).containsExactly(("POST /p " + sent).strip());
        assertThat(headers.getFirst().get("Content-type")).isEqualTo(sent.isEmpty() ? null : "text/csv");
    }

    @Test
    void what_is_read_of_answers() throws Exception {
        var working = new String[31];
        Arrays.fill(working, "200 {\"s\":\"x\",\"d\":1,\"o\":4,\"m\":\"step\"}");
        working[30] = "200 {\"s\":\"good\"}";
        on("/p", "201 {\"job\":{\"nr\":7}}");
        on("/jobs/7", working);
        on("/jobs/7/log", "200 {\"text\":\"the log\"}");
        on("/jobs/7/out?from=0", "200 a line\n");
        assertThat(told(MAPPED)).isEqualTo("the log");
        assertThat(run.progress).contains(new Progress(1, 4.0, "step"));
        assertThat(run.messages).containsExactly("step");
        assertThat(run.pieces).containsExactly("a line");
    }

    @ParameterizedTest
    @CsvSource({"bad, has failed: no room", "gone, was cancelled outside of this server: no room"})
    void how_a_job_ends_that_is_not_done(String state, String said) throws Exception {
        on("/p", "201 {\"job\":{\"nr\":7}}");
        on("/jobs/7", "200 {\"s\":\"" + state + "\",\"why\":\"no room\"}");
        assertThat(told(MAPPED)).isEqualTo("The job 7 " + said);
    }

    @Test
    void how_a_job_is_cancelled() throws Exception {
        on("/p", "201 {\"job\":{\"nr\":7}}");
        on("/jobs/7", "200 {\"s\":\"gone\"}");
        on("/jobs/7/stop", "202 {}");
        var backend = backend(MAPPED, "");
        backend.run(run);
        backend.stop(run);
        assertThat(seen).contains("POST /jobs/7/stop");
    }

    @Test
    void addresses_that_answers_name() throws Exception {
        on("/p", "201 {\"self\":\"/s/1\"}");
        on("/s/1", "200 {\"status\":\"done\",\"out\":\"OTHER/out\"}");
        on("/out", "200 \"there\"");
        assertThat(told(LINKED)).isEqualTo("\"there\"");
    }

    @Test
    void an_address_in_place_of_a_result() throws Exception {
        on("/p", "201 {\"self\":\"/s/1\"}");
        on("/s/1", "200 {\"status\":\"done\",\"out\":\"/out\"}");
        on("/out", "200 \"there\"");
        assertThat(told(DOWNLOADED))
                .startsWith("The result is at https://tools.example.com/results/")
                .doesNotContain("there");
    }

    @Test
    void a_result_in_the_last_status() throws Exception {
        on("/p", "201 {}");
        on("/jobs", "200 {\"status\":\"done\",\"out\":\"here\"}");
        assertThat(told(PATIENT + "result: /out\n")).isEqualTo("here");
    }

    @Test
    void how_long_a_job_is_looked_for() throws Exception {
        on("/p", "201 {}");
        on("/jobs", "503 {}");
        assertThat(backend(PATIENT, "").run(run))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class, end -> assertThat(end.message()).contains(" for 1 s (it answers 503"));
    }

    @Test
    void how_long_an_answer_may_take() throws Exception {
        assertThat(backend(TIMED, "").run(run)).isInstanceOf(Outcome.Failed.class);
    }

    @Test
    void how_long_an_answer_may_be() throws Exception {
        on("/p", "200 \"0123456789\"");
        assertThat(told(FORM, "    maxOutput: 10B\n")).contains("longer than 10 bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----rw-"})
    void a_secret_that_others_can_read_is_not_sent(String permissions) throws Exception {
        secret("secret", permissions);
        assertThat(told(START)).contains("the server lacks a secret");
        assertThat(seen).isEmpty();
    }

    @Test
    void a_secret_is_read_whenever_it_is_needed() throws Exception {
        on("/p/x?q=x", "200 \"ok\"");
        var backend = backend(START, "");
        backend.run(run);
        secret("newer", "rw-------");
        backend.run(aRun());
        assertThat(headers).extracting(sent -> sent.get("X-file")).containsExactly("F secret", "F newer");
    }

    /** {@link JobRightsTest} sends such requests. */
    @Test
    void tokens_are_for_the_origin_of_the_api() throws Exception {
        var work = ServerFile.read(file(GRANTED, "")).tools().getFirst().work();
        assertThat(((HttpEntry) work).tokens().resource()).hasToString(api.origin() + "/");
    }

    /** A field that is added needs a place here. */
    @Test
    void no_field_is_left_out() throws Exception {
        var used = new TreeSet<String>();
        for (var http :
                List.of(START, FORM, MAPPED, LINKED, DOWNLOADED, PATIENT, TIMED, LISTED, PARTS, TEXT, GRANTED)) {
            var node = YamlReader.read(file(http, "")).root().at("/tools/t/http");
            names("http", node, used);
            names("httpStatus", node.path("status"), used);
            names("httpResult", node.path("result"), used);
            names("httpCancel", node.path("cancel"), used);
            names("httpPages", node.path("pages"), used);
            node.path("headers").forEach(header -> names("header", header, used));
        }
        var all = new ArrayList<String>();
        var definitions = JsonMapper.shared().readTree(FileSchema.text()).path("definitions");
        for (var name : Set.of("http", "httpStatus", "httpResult", "httpCancel", "httpPages", "header")) {
            names(name, definitions.path(name).path("properties"), all);
        }
        assertThat(used).containsExactlyInAnyOrderElementsOf(all);
    }

    private static void names(String of, JsonNode node, Collection<String> into) {
        node.propertyNames().forEach(name -> into.add(of + "." + name));
    }
}
