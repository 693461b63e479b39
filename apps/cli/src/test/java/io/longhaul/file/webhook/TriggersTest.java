// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.longhaul.cli.Cli;
import io.longhaul.cli.serve.ServedFile;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.engine.run.Sha256;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deliveries to the triggers of a served file, whose tool notes each call. */
@Timeout(120)
class TriggersTest {

    private static final String SECRET = "correct horse battery staple";

    private static final String TOOLS = """
        limits: {messageBytes: 2KB, livePerOwner: 6}
        audit: {file: audit.log}
        tools:
          note:
            input: {text: string, where: {type: string, default: nowhere}}
            command: [sh, -c, 'echo "$0 $1" >> notes', '{text}', '{where}']
          wait:
            command: [sleep, '600']
        triggers:
          plain: {tool: note, secret: [{file: new}, {file: secret}], arguments: {where: here}}
          push:
            tool: note
            secret: {file: secret}
            signature: github
            events: [push]
            body: {text: /head/id, where: /repository/name}
          wait: {tool: wait, secret: {file: secret}}
          note: {tool: note, secret: {file: secret}}
          broken: {tool: note, secret: {file: missing}}
        """;

    @TempDir
    private Path folder;

    private final Set<String> made = ConcurrentHashMap.newKeySet();
    private ServedFile server;
    private URI url;

    @BeforeEach
    void serve() throws IOException {
        SignedCall.keep(folder.resolve("secret"), SECRET);
        SignedCall.keep(folder.resolve("new"), "another");
        var file = Files.writeString(folder.resolve("tools.yaml"), TOOLS);
        server = ServedFile.at(0, file, folder.resolve("data"));
        url = URI.create(server.url());
    }

    /** What a command still writes would be in the way of those who delete the folder. */
    @AfterEach
    void close() {
        made.forEach(id -> run("tasks", "cancel", server.url(), id));
        made.forEach(id -> run("attach", server.url(), id));
        server.close();
    }

    private void run(String... line) {
        new Cli(TestTerminal.silent().terminal()).run(List.of(line));
    }

    private static SignedCall call(String id, String body) {
        return SignedCall.of(id, SECRET, body);
    }

    private String taskId(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        var id = JsonText.read(response.body()).path("taskId").asString();
        made.add(id);
        return id;
    }

    private static void assertRefused(HttpResponse<String> response, int status, String why) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(JsonText.read(response.body()).path("error").asString()).isEqualTo(why);
    }

    /** What the tool has noted when all tasks have ended; closing waits for none, so the file is read until it has. */
    private List<String> notes(int count) throws IOException {
        var notes = folder.resolve("notes");
        while (!Files.exists(notes) || Files.readAllLines(notes).size() < count) {
            Thread.onSpinWait();
        }
        return Files.readAllLines(notes);
    }

    @Test
    void a_message_that_is_delivered_five_times_at_once_makes_one_task() throws Exception {
        Callable<String> delivery =
                () -> taskId(call("message-1", "{\"text\":\"a\"}").to(url, "plain"));
        var ids = new ArrayList<String>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var done : threads.invokeAll(List.of(delivery, delivery, delivery, delivery, delivery))) {
                ids.add(done.get());
            }
        }
        assertThat(ids).hasSize(5).containsOnly(ids.getFirst());
        // Another message is another task, which comes after all that was to come of the first one.
        assertThat(taskId(call("message-2", "{\"text\":\"b\"}").to(url, "plain")))
                .isNotEqualTo(ids.getFirst());
        assertThat(notes(2)).containsExactlyInAnyOrder("a here", "b here");
    }

    @Test
    void a_fixed_argument_stands_whatever_the_body_says() throws Exception {
        taskId(call("message-1", "{\"text\":\"a\",\"where\":\"elsewhere\"}").to(url, "plain"));
        assertThat(notes(1)).containsExactly("a here");
    }

    @Test
    void each_of_several_secrets_is_good() throws Exception {
        taskId(SignedCall.of("message-1", "another", "{\"text\":\"a\"}").to(url, "plain"));
        taskId(SignedCall.of("message-2", SECRET, "{\"text\":\"b\"}").to(url, "plain"));
    }

    @Test
    void a_forged_a_stale_and_an_unsigned_call_and_one_of_no_trigger_look_the_same() throws Exception {
        var body = "{\"text\":\"a\"}";
        var old = Instant.now().minus(Duration.ofMinutes(6));
        var refused = List.of(
                SignedCall.of("message-1", "guessed", body).to(url, "plain"),
                new SignedCall("message-1", SECRET, old, body).to(url, "plain"),
                SignedCall.send(SignedCall.request(url, "plain", body).build()),
                call("message-1", body).to(url, "unknown"),
                call("message-1", body).to(url, ""));
        for (var response : refused) {
            assertRefused(response, 401, "The signature is missing, too old or not good.");
            assertThat(response.headers().firstValue("WWW-Authenticate")).hasValue("Webhook");
        }
        assertRefused(call("m", "x".repeat(3_000)).to(url, "plain"), 413, "The body is larger than this server takes.");
        assertRefused(
                call("m", "x".repeat(3_000)).to(url, "unknown"), 413, "The body is larger than this server takes.");
        assertThat(folder.resolve("notes")).doesNotExist();
        server.close();
        assertThat(Files.readAllLines(folder.resolve("audit.log")))
                .filteredOn(line -> line.contains("\"event\":\"denied\"") && line.contains("\"status\":401"))
                .hasSize(5);
    }

    @Test
    void a_name_with_any_signature_is_answered_as_an_unknown_name() throws Exception {
        for (var body : List.of("{}", "x".repeat(3_000))) {
            for (var header : List.of("X-Other", "X-Hub-Signature-256", "webhook-signature")) {
                var unknown = forged("unknown", header, body);
                for (var name : List.of("push", "plain")) {
                    var known = forged(name, header, body);
                    assertThat(known.statusCode()).isEqualTo(unknown.statusCode());
                    assertThat(known.body()).isEqualTo(unknown.body());
                    assertThat(undated(known)).isEqualTo(undated(unknown));
                }
            }
        }
    }

    private static Map<String, List<String>> undated(HttpResponse<?> response) {
        var headers = new TreeMap<>(response.headers().map());
        headers.remove("date");
        return headers;
    }

    private HttpResponse<String> forged(String name, String header, String body) throws Exception {
        return SignedCall.send(SignedCall.request(url, name, body)
                .header("X-GitHub-Delivery", "1")
                .header("webhook-id", "1")
                .header("webhook-timestamp", Long.toString(Instant.now().getEpochSecond()))
                .header(header, header.startsWith("X") ? "sha256=00" : "v1,AAAA")
                .build());
    }

    @Test
    void a_message_with_the_id_of_another_one_is_refused() throws Exception {
        taskId(call("message-1", "{\"text\":\"a\"}").to(url, "plain"));
        assertRefused(
                call("message-1", "{\"text\":\"b\"}").to(url, "plain"),
                409,
                "The message was delivered before with another content.");
        assertThat(notes(1)).containsExactly("a here");
        close();
        assertThat(Files.readString(folder.resolve("audit.log")))
                .contains("\"event\":\"created\"", "\"rule\":\"key-reused\"")
                .doesNotContain(SECRET);
    }

    @Test
    void a_body_that_the_tool_does_not_take_is_told_in_one_sentence() throws Exception {
        assertRefused(
                call("1", "{\"text\"").to(url, "plain"),
                400,
                "The body is no JSON, or is too deep, or has a name twice.");
        assertRefused(call("2", "[1]").to(url, "plain"), 400, "The body must be a JSON object with the arguments.");
        var missing = call("3", "{}").to(url, "plain");
        assertThat(missing.statusCode()).isEqualTo(400);
        assertThat(missing.body()).contains("text");
        // What was refused has used up no id.
        taskId(call("3", "{\"text\":\"a\"}").to(url, "plain"));
    }

    @Test
    void a_call_beyond_the_live_tasks_of_the_user_is_to_come_again() throws Exception {
        var first = taskId(call("1", "").to(url, "wait"));
        for (int more = 2; more <= 6; more++) {
            taskId(call("" + more, "").to(url, "wait"));
        }
        var beyond = call("7", "").to(url, "wait");
        assertThat(beyond.statusCode()).isEqualTo(429);
        assertThat(beyond.headers().firstValue("Retry-After")).hasValue("30");
        assertThat(taskId(call("1", "").to(url, "wait"))).isEqualTo(first);
    }

    @Test
    void a_secret_that_cannot_be_read_is_the_matter_of_the_operator() throws Exception {
        assertRefused(call("1", "{\"text\":\"a\"}").to(url, "broken"), 503, "The signature cannot be checked now.");
        SignedCall.keep(folder.resolve("missing"), SECRET);
        taskId(call("1", "{\"text\":\"a\"}").to(url, "broken"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "webhook-id",
                "webhook-timestamp",
                "webhook-signature",
                "X-GitHub-Event",
                "X-GitHub-Delivery",
                "X-Hub-Signature-256",
                "Content-Type"
            })
    void a_header_that_is_sent_twice_is_refused_by_every_trigger_and_by_none(String name) throws Exception {
        for (var trigger : List.of("plain", "push", "nothing")) {
            var twice = SignedCall.of("twice", SECRET, "{\"text\":\"a\"}")
                    .request(url, trigger)
                    .header(name, "other");
            if (name.startsWith("X-")) {
                twice.header(name, "another");
            }
            var refused = SignedCall.send(twice.build());
            assertThat(refused.statusCode()).as(trigger).isEqualTo(400);
            assertThat(refused.body()).contains(name, "more than once");
        }
        taskId(call("twice", "{\"text\":\"a\"}").to(url, "plain"));
    }

    private HttpResponse<String> push(String id, String event, String body) throws Exception {
        var signature = HexFormat.of().formatHex(Sha256.keyed(SECRET.getBytes(UTF_8), body.getBytes(UTF_8)));
        return SignedCall.send(SignedCall.request(url, "push", body)
                .header("X-GitHub-Delivery", id)
                .header("X-GitHub-Event", event)
                .header("X-Hub-Signature-256", "sha256=" + signature)
                .build());
    }

    @Test
    void a_push_to_github_calls_the_tool_with_what_it_takes_of_the_body() throws Exception {
        var body = "{\"ref\":\"refs/heads/main\",\"head\":{\"id\":\"c0ffee\"},\"repository\":{\"name\":\"demo\"}}";
        var first = taskId(push("d-1", "push", body));
        assertThat(taskId(push("d-1", "push", body))).isEqualTo(first);
        assertThat(push("d-2", "ping", "{\"zen\":\"Keep it simple\"}").statusCode())
                .isEqualTo(200);
        assertRefused(
                SignedCall.of("d-3", SECRET, body).to(url, "push"),
                401,
                "The signature is missing, too old or not good.");
        assertThat(notes(1)).containsExactly("c0ffee demo");
    }

    @Test
    void a_form_is_no_json_and_a_page_of_elsewhere_may_not_call() throws Exception {
        var body = "payload=a";
        var call = call("1", body);
        long now = call.time().getEpochSecond();
        var signed = SignedCall.request(url, "plain", body)
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .header("webhook-id", "1")
                .header("webhook-timestamp", Long.toString(now))
                .header("webhook-signature", Signatures.sign(SECRET.getBytes(UTF_8), "1", now, body.getBytes(UTF_8)));
        assertThat(SignedCall.send(signed.copy().build()).statusCode()).isEqualTo(415);
        assertThat(SignedCall.send(
                                signed.header("Origin", "https://evil.example").build())
                        .statusCode())
                .isEqualTo(403);
    }

    /** The commands on the page, as a job of cron has them. */
    private String typed() throws Exception {
        var page = Files.readString(Path.of("../..", "docs", "TRIGGERS.md"));
        var script = page.substring(page.indexOf("```sh\n") + "```sh\n".length());
        var shell = new ProcessBuilder("sh", "-ec", script.substring(0, script.indexOf("```")));
        shell.environment().put("SECRET", SECRET);
        shell.environment().put("URL", url.resolve("/").toString().replaceFirst("/$", ""));
        var running = shell.redirectErrorStream(true).start();
        var said = new String(running.getInputStream().readAllBytes(), UTF_8);
        assertThat(running.waitFor()).as(said).isZero();
        var id = JsonText.read(said).path("taskId").asString();
        made.add(id);
        return id;
    }

    @Test
    void the_commands_of_the_page_call_a_trigger_and_call_it_once() throws Exception {
        var found = Stream.of("curl", "openssl")
                .allMatch(program -> Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(place -> Files.isExecutable(Path.of(place, program))));
        assumeTrue(found, "curl and openssl are installed");
        assertThat(typed()).isEqualTo(typed());
        assertThat(notes(1)).containsExactly("all is well nowhere");
    }
}
