// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.server.FileServer;
import io.longhaul.file.ServerFile;
import io.longhaul.protocol.WireLimits;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.testkit.talk.StdioPipes;
import io.longhaul.testkit.talk.Talk;
import io.longhaul.transport.Stdio;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What a model is given of a command that was cut, writes no text or cannot be started, at the wire. */
@Timeout(120)
class CommandResultsTest {
    private static final String TIMED_OUT =
            "The task ran longer than its limit of 5 s.\nIts output so far:\nfirst line\nlast line";
    private static final String META = """
        "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
        "io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},\
        "io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}\
        """;

    @TempDir
    Path folder;

    private FileServer server;
    private final StdioPipes pipes = new StdioPipes();
    private final Talk talk = new Talk(pipes.client());

    @BeforeEach
    void serve() throws IOException {
        var file = Files.writeString(folder.resolve("tools.yaml"), """
            tools:
              slow:
                command: [sh, -c, 'echo first line; printf "10%%\\\\r20%%\\\\r"; echo last line; sleep 1000']
                timeout: 5s
              silent: {command: [sh, -c, 'echo first line; sleep 1; echo last line; sleep 1000'], idle: 2s}
              endless: {command: [sh, -c, 'echo first line; echo last line; exec sleep 1000']}
              picture: {command: [sh, -c, "printf '\\\\211PNG\\\\r\\\\n\\\\032\\\\n\\\\000rest'"]}
              quick_picture:
                command: [sh, -c, "printf '\\\\211PNG\\\\r\\\\n\\\\032\\\\n\\\\000rest'"]
                quick: true
              large: {command: [sh, -c, 'head -c 100000 /dev/zero'], maxOutput: 1000}
              failed: {command: [sh, -c, "printf 'a\\\\000b'; exit 3"], quick: true}
              absent: {command: [no-such-program]}
              long: {command: [seq, "1", "20000"]}
              long_quick: {command: [seq, "1", "20000"], quick: true}
              long_allowed: {command: [seq, "1", "20000"], resultText: 1MB}
              report:
                command: [sh, -c, "mkdir out; echo hello >report.txt;
                          printf '\\\\211PNG\\\\r\\\\n\\\\032\\\\n' >'out/a b.png'; echo written"]
                cwd: job
                files: [report.txt, 'out/*.png', gone.pdf]
              held:
                command: [sh, -c, 'echo first line; mkdir "$0"; exec sleep 1000', %s]
                elicit: {key: release, message: "Release?", after: true, fields: {ok: boolean}, must: {ok: true}}
            """.replace("%s", said().toString()));
        var stdio = Stdio.over(pipes.serverInput(), pipes.serverOutput(), WireLimits.DEFAULT);
        server = FileServer.start(ServerFile.read(file), new DataFolder(folder.resolve("data"), DataKeys.NONE), stdio);
    }

    @AfterEach
    void stop() throws IOException {
        talk.leave();
        server.close();
    }

    @Test
    void a_plain_client_gets_the_reason_and_the_output_so_far_as_an_error_of_the_tool() throws IOException {
        handshake("2025-06-18");
        assertCut(ask("tools/call", "\"name\":\"slow\""));
    }

    @Test
    void a_command_that_says_nothing_for_too_long_is_an_error_with_that_reason() throws IOException {
        handshake("2025-06-18");
        assertThat(text(ask("tools/call", "\"name\":\"silent\"")))
                .isEqualTo("The task said nothing for 2 s, its limit.\nIts output so far:\nfirst line\nlast line");
    }

    @Test
    void a_task_of_2025_11_25_fails_with_the_reason_and_its_result_has_the_output() throws Exception {
        handshake("2025-11-25");
        var id = created("slow", "");
        assertCut(ask("tasks/result", id(id)));
        var task = ask("tasks/get", id(id));
        assertThat(task.path("status").stringValue()).isEqualTo("failed");
        assertThat(task.path("statusMessage").stringValue()).isEqualTo("The task ran longer than its limit of 5 s.");
    }

    @Test
    void a_task_of_2026_07_28_completes_with_the_reason_and_the_output_in_its_result() throws Exception {
        var id = created("slow", META);
        var task = awaitStatus(id, "completed");
        assertCut(task.path("result"));
    }

    @Test
    void a_cancelled_task_of_2025_11_25_says_in_its_status_what_the_command_had_written() throws Exception {
        handshake("2025-11-25");
        var id = created("endless", "");
        awaitMessage(id, "");
        var task = ask("tasks/cancel", id(id));
        assertThat(task.path("status").stringValue()).isEqualTo("cancelled");
        assertThat(task.path("statusMessage").stringValue())
                .isEqualTo("The task was cancelled by request.\nIts output so far:\nfirst line\nlast line");
        assertThat(answer("tasks/result", id(id)).at("/error/message").stringValue())
                .isEqualTo("Task was cancelled\nIts output so far:\nfirst line\nlast line");
    }

    @Test
    void a_cancelled_task_of_2026_07_28_says_in_its_status_what_the_command_had_written() throws Exception {
        var id = created("endless", META);
        awaitMessage(id, META);
        ask("tasks/cancel", id(id) + "," + META);
        assertThat(awaitStatus(id, "cancelled").path("statusMessage").stringValue())
                .isEqualTo("The task was cancelled by request.\nIts output so far:\nfirst line\nlast line");
    }

    @Test
    void a_model_whose_host_knows_no_tasks_reads_the_output_in_the_answer_to_its_cancel() throws Exception {
        handshake("2025-11-25");
        var id = created("endless", "");
        awaitMessage(id, "");
        handshake("2025-06-18");
        var cancelled = ask("tools/call", "\"name\":\"task_cancel\",\"arguments\":{\"task\":\"" + id + "\"}");
        assertThat(text(cancelled)).isEqualTo("endless is cancelled.\nIts output so far:\nfirst line\nlast line");
    }

    @Test
    void output_that_somebody_has_to_release_is_told_to_nobody_before() throws Exception {
        handshake("2025-11-25");
        var id = created("held", "");
        while (!Files.exists(said())) {
            assertThat(ask("tasks/get", id(id)).toString()).doesNotContain("line");
        }
        assertThat(ask("tasks/cancel", id(id)).path("statusMessage").stringValue())
                .isEqualTo("The task was cancelled by request.");
    }

    /** The folder that the held command makes after its first line. */
    private Path said() {
        return folder.resolve("said");
    }

    @ParameterizedTest
    @ValueSource(strings = {"picture", "quick_picture"})
    void binary_output_is_an_embedded_resource_of_its_type(String tool) throws IOException {
        handshake("2025-06-18");
        var content = ask("tools/call", "\"name\":\"" + tool + "\"").path("content");
        assertThat(content).hasSize(1);
        assertThat(content.at("/0/type").stringValue()).isEqualTo("resource");
        var resource = content.at("/0/resource");
        assertThat(resource.path("mimeType").stringValue()).isEqualTo("image/png");
        var uri = resource.path("uri").stringValue();
        if (tool.equals("picture")) {
            var read = ask("resources/read", "\"uri\":\"" + uri + "\"").path("contents");
            assertThat(read).hasSize(1);
            assertThat(read.path(0)).isEqualTo(resource);
        } else {
            assertThat(uri).as("no task keeps it").isEqualTo("urn:longhaul:output");
        }
        assertThat(new String(Base64.getDecoder().decode(resource.path("blob").stringValue()), ISO_8859_1))
                .isEqualTo("\u0089PNG\r\n\u001a\n\0rest");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-06-18", "2025-11-25"})
    void of_a_long_text_a_model_reads_the_ends_and_every_generation_reads_the_whole(String version) throws IOException {
        handshake(version);
        var content = ask("tools/call", "\"name\":\"long\"").path("content");
        assertThat(content).hasSize(2);
        var text = content.at("/0/text").stringValue();
        assertThat(text).hasSizeLessThan(52_000).startsWith("1\n2\n").endsWith("\n19999\n20000");
        var uri = text.replaceFirst("(?s).*the whole text is at (\\S+) .*", "$1");
        assertThat(content.path(1).toString()).contains(uri);
        var read = ask("resources/read", "\"uri\":\"" + uri + "\"")
                .at("/contents/0/text")
                .stringValue();
        assertThat(read.lines()).hasSize(20_000).contains("10000");
    }

    @Test
    void a_text_is_not_shortened_where_its_tool_is_quick_or_says_so() throws IOException {
        handshake("2025-06-18");
        for (var tool : new String[] {"long_quick", "long_allowed"}) {
            assertThat(text(ask("tools/call", "\"name\":\"" + tool + "\"")).lines())
                    .hasSize(20_000);
        }
    }

    @Test
    void files_of_a_command_are_links_that_every_client_reads_and_small_pictures_come_with_the_result()
            throws IOException {
        handshake("2025-06-18");
        var content = ask("tools/call", "\"name\":\"report\"").path("content");
        assertThat(content.valueStream().map(item -> item.path("type").stringValue()))
                .containsExactly("text", "resource_link", "image", "resource_link", "text");
        assertThat(content.at("/0/text").stringValue()).isEqualTo("written");
        assertThat(content.at("/1/name").stringValue()).isEqualTo("report.txt");
        assertThat(content.at("/1/size").intValue()).isEqualTo(6);
        assertThat(content.at("/4/text").stringValue())
                .isEqualTo("The file gone.pdf is left out: the command has not written it.");
        var text = ask("resources/read", "\"uri\":\"" + content.at("/1/uri").stringValue() + "\"");
        assertThat(text.at("/contents/0/text").stringValue()).isEqualTo("hello\n");
        var picture = ask("resources/read", "\"uri\":\"" + content.at("/3/uri").stringValue() + "\"");
        assertThat(picture.at("/contents/0/mimeType").stringValue()).isEqualTo("image/png");
        assertThat(picture.at("/contents/0/blob")).isEqualTo(content.at("/2/data"));
    }

    @Test
    void binary_output_of_a_command_that_failed_stands_below_its_exit_code() throws IOException {
        handshake("2025-06-18");
        var result = ask("tools/call", "\"name\":\"failed\"");
        assertThat(text(result)).isEqualTo("The command ended with exit code 3.");
        assertThat(result.at("/content/1/resource/mimeType").stringValue()).isEqualTo("application/octet-stream");
        assertThat(result.path("isError").booleanValue()).isTrue();
    }

    @Test
    void binary_output_that_does_not_fit_is_left_out_and_that_is_said() throws IOException {
        handshake("2025-06-18");
        var result = ask("tools/call", "\"name\":\"large\"");
        assertThat(result.path("content")).hasSize(1);
        assertThat(text(result))
                .isEqualTo("The output is left out: it is application/octet-stream, and longer than the limit of the"
                        + " output of this tool.");
    }

    @Test
    void a_program_that_cannot_be_started_is_an_error_for_the_model_that_names_it() throws IOException {
        handshake("2025-06-18");
        var result = ask("tools/call", "\"name\":\"absent\"");
        assertThat(text(result))
                .isEqualTo("The program no-such-program cannot be started: it is not in the search path of the server."
                        + " Nothing was run.");
        assertThat(result.path("isError").booleanValue()).isTrue();
    }

    private static void assertCut(JsonNode result) {
        assertThat(text(result)).isEqualTo(TIMED_OUT);
        assertThat(result.path("isError").booleanValue()).isTrue();
    }

    private static String text(JsonNode result) {
        return result.at("/content/0/text").stringValue();
    }

    private static String id(String id) {
        return "\"taskId\":\"" + id + "\"";
    }

    private void handshake(String version) {
        talk.open(version, "{'elicitation':{}}");
    }

    private String created(String tool, String meta) throws IOException {
        var call = "\"name\":\"" + tool + "\"";
        return meta.isEmpty()
                ? ask("tools/call", call + ",\"task\":{}").at("/task/taskId").stringValue()
                : ask("tools/call", call + "," + meta).path("taskId").stringValue();
    }

    private void awaitMessage(String id, String meta) throws Exception {
        var params = id(id) + (meta.isEmpty() ? "" : "," + meta);
        while (!ask("tasks/get", params).path("statusMessage").asString("").endsWith("line")) {
            Thread.onSpinWait();
        }
    }

    private JsonNode awaitStatus(String id, String status) throws IOException {
        while (true) {
            var task = ask("tasks/get", id(id) + "," + META);
            if (task.path("status").stringValue().equals(status)) {
                return task;
            }
        }
    }

    private JsonNode ask(String method, String params) throws IOException {
        var answer = answer(method, params);
        assertThat(answer.has("result")).as(answer::toString).isTrue();
        return answer.path("result");
    }

    private JsonNode answer(String method, String params) throws IOException {
        return talk.ask(method, "{" + params + "}");
    }
}
