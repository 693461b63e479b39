// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

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
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What fields of a file of tools change for a client, at the wire. */
@Timeout(120)
class FileFieldsAtTheWireTest {
    private static final String PLAIN = "{}";
    private static final String ASKED = "{\"elicitation\":{}}";
    private static final String TASKS = "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";
    private static final String NEWEST = "2026-07-28";
    private static final String FILE = """
            tools:
              delete:
                input: {folder: string}
                command: [echo, "{folder}", "{sure.depth}"]
                elicit:
                  key: sure
                  message: "Delete {folder}?"
                  fields: {depth: [all, some]}
                  fallback: argument
              release:
                command: [echo, secret]
                elicit:
                  - {key: begin, message: "Begin?", fields: {ok: boolean}, must: {ok: true}, fallback: argument}
                  - key: hand
                    message: "Hand out?"
                    fields: {ok: boolean}
                    must: {ok: true}
                    after: true
                    fallback: argument
              count:
                input: {json: string}
                command: [sh, -c, 'echo "P 50%"; echo "$1"', sh, "{json}"]
                progress: 'P (?<percent>\\d+)%'
                result: json
                output: {rows: integer, "note?": string}
              echo:
                input: {text: string, n: integer = 1, "opt?": integer}
                command: [printf, '%s|%s', "{text}", "{n}"]
              quick_echo:
                inputSchema:
                  type: object
                  properties: {text: {type: string}, n: {type: integer, default: 1}}
                  required: [text]
                command: [printf, '%s|%s', "{text}", "{n}"]
                quick: true
              warns:
                command: [sh, -c, 'echo "an old flag" >&2; echo "{\\"rows\\": 3}"']
                result: json
                output: {rows: integer}
              quick_warns:
                command: [sh, -c, 'echo "an old flag" >&2; echo "{\\"rows\\": 3}"; exit $1', sh, "{code}"]
                input: {code: integer = 0}
                result: json
                quick: true
              text: {command: [sh, -c, 'echo out; echo err >&2'], stderr: log}
              broken: {command: [sh, -c, 'echo out; echo err >&2; exit 3'], stderr: log}
              both: {command: [sh, -c, 'echo out; echo err >&2']}
              latin1: {command: [printf, 'caf\\351 cr\\350me\n'], quick: true}
              koi8: {command: [printf, '\\321\\316\n'], encoding: koi8-r}
              any: {command: [echo, '{"free": [1]}'], result: json, quick: true}
              sometimes:
                input: {rows: integer = 5, mode: string?}
                command: [echo, "{rows}"]
                longWhen: {rows: {minimum: 1000}}
              words: {command: [sh, -c, "exec sleep 1000"], immediate: "Working on it."}
              parts:
                command: [sh, -c, "echo first; echo second"]
                partial: first
                resume: {always: true, wait: 20s}
              read: {input: {rows: "string[]"}, command: [cat], stdin: "{rows}"}
              again:
                command: [sh, -c, 'echo x >> tries; test $(wc -l < tries) -ge 3 && cat tries']
                retry: {count: 2}
              seldom:
                command: [sh, -c, 'echo x >> seldom; exit 4']
                retry: {count: 5, exitCodes: [75]}
              coloured: {command: [printf, '\\033[31mred\\033[0m\\n'], raw: true, quick: true}
              plain: {command: [printf, '\\033[31mred\\033[0m\\n'], quick: true}
            """;

    @TempDir
    Path folder;

    private FileServer server;
    private final StdioPipes pipes = new StdioPipes();
    private final Talk talk = new Talk(pipes.client());
    private String meta = "";

    @BeforeEach
    void serve() throws IOException {
        var file = Files.writeString(folder.resolve("tools.yaml"), FILE);
        var stdio = Stdio.over(pipes.serverInput(), pipes.serverOutput(), WireLimits.DEFAULT);
        server = FileServer.start(ServerFile.read(file), new DataFolder(folder.resolve("data"), DataKeys.NONE), stdio);
    }

    @AfterEach
    void stop() throws IOException {
        talk.leave();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-06-18", "2025-11-25", NEWEST})
    void a_question_is_an_argument_where_nobody_can_be_asked(String version) throws IOException {
        speak(version, PLAIN);
        var schema = tool("delete").path("inputSchema");
        assertThat(schema.path("required").toString()).isEqualTo("[\"folder\",\"sure\"]");
        assertThat(schema.at("/properties/sure/properties/depth/enum").toString())
                .isEqualTo("[\"all\",\"some\"]");
        assertThat(schema.at("/properties/sure/description").stringValue()).endsWith("Delete {folder}?");
        assertThat(text(call("delete", "{\"folder\":\"a\",\"sure\":{\"depth\":\"some\"}}")))
                .isEqualTo("a some");
        assertThat(text(call("release", "{\"begin\":{\"ok\":true},\"hand\":{\"ok\":true}}")))
                .isEqualTo("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-06-18", NEWEST})
    void a_call_without_that_argument_runs_nothing_and_names_it(String version) throws IOException {
        speak(version, PLAIN);
        var result = call("release", "{\"begin\":{\"ok\":true}}");
        assertThat(result.path("isError").booleanValue()).isTrue();
        assertThat(text(result)).startsWith("Nothing was run").contains("\"hand\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-06-18", NEWEST})
    void a_question_stays_one_where_somebody_can_be_asked(String version) throws IOException {
        speak(version, ASKED);
        assertThat(tool("delete").at("/inputSchema/required").toString()).isEqualTo("[\"folder\"]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-06-18", "2025-11-25", NEWEST})
    void output_that_is_json_is_structured_content_as_was_promised(String version) throws IOException {
        speak(version, ASKED);
        assertThat(tool("count").path("outputSchema").toString()).contains("\"rows\":{\"type\":\"integer\"}");
        var result = call("count", "{\"json\":\"{\\\"rows\\\": 7}\"}");
        assertThat(result.path("structuredContent").toString()).isEqualTo("{\"rows\":7}");
        assertThat(text(result)).isEqualTo("P 50%\n{\"rows\": 7}");
        assertThat(call("any", "{}").path("structuredContent").toString()).isEqualTo("{\"free\":[1]}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-06-18", NEWEST})
    void output_that_breaks_its_schema_is_an_error_that_names_the_field(String version) throws IOException {
        speak(version, ASKED);
        var breach = call("count", "{\"json\":\"{\\\"rows\\\": \\\"many\\\"}\"}");
        assertThat(breach.path("isError").booleanValue()).isTrue();
        assertThat(breach.has("structuredContent")).isFalse();
        assertThat(text(breach)).contains("not what this tool promises: ", "rows", "{\"rows\": \"many\"}");
        assertThat(text(call("count", "{\"json\":\"[1]\"}"))).contains("it is no JSON object");
        assertThat(text(call("count", "{\"json\":\"oops\"}"))).contains("it is no JSON (line 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-06-18", NEWEST})
    void a_null_for_an_argument_with_a_default_is_the_default(String version) throws IOException {
        speak(version, ASKED);
        for (var tool : List.of("echo", "quick_echo")) {
            assertThat(text(call(tool, "{\"text\":\"x\",\"n\":null}"))).isEqualTo("x|1");
        }
        assertThat(text(call("echo", "{\"text\":\"x\",\"n\":2,\"opt\":null}"))).isEqualTo("x|2");
        assertThat(text(call("sometimes", "{\"rows\":null,\"mode\":null}"))).isEqualTo("5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-06-18", NEWEST})
    void a_null_for_an_optional_field_of_the_output_is_left_out(String version) throws IOException {
        speak(version, ASKED);
        var result = call("count", "{\"json\":\"{\\\"rows\\\": 7, \\\"note\\\": null}\"}");
        assertThat(result.path("structuredContent").toString()).isEqualTo("{\"rows\":7}");
    }

    @Test
    void json_is_read_from_standard_output_alone() throws IOException {
        speak("2025-06-18", PLAIN);
        assertThat(call("warns", "{}").path("structuredContent").toString()).isEqualTo("{\"rows\":3}");
        assertThat(call("quick_warns", "{}").path("structuredContent").toString())
                .isEqualTo("{\"rows\":3}");
        assertThat(text(call("quick_warns", "{\"code\":4}"))).contains("an old flag", "exit code 4");
        assertThat(heard())
                .filteredOn(line -> line.contains("notifications/message") && line.contains("an old flag"))
                .hasSize(3)
                .allMatch(line -> line.contains("\"data\":\"an old flag\""));
    }

    @Test
    void standard_error_is_logged_or_a_part_of_the_text_as_the_file_says() throws IOException {
        speak("2025-06-18", PLAIN);
        assertThat(text(call("both", "{}"))).isEqualTo("out\nerr");
        assertThat(heard()).noneMatch(line -> line.contains("notifications/message"));
        assertThat(text(call("text", "{}"))).isEqualTo("out");
        assertThat(heard()).anyMatch(line -> line.contains("notifications/message") && line.contains("err"));
        assertThat(text(call("broken", "{}"))).isEqualTo("out\nerr\nThe command ended with exit code 3.");
    }

    @Test
    void text_that_is_not_utf_8_is_text() throws IOException {
        speak("2025-06-18", PLAIN);
        assertThat(text(call("latin1", "{}"))).isEqualTo("café crème");
        assertThat(text(call("koi8", "{}"))).isEqualTo("ян");
    }

    @Test
    void only_long_calls_are_tasks() throws IOException {
        speak(NEWEST, TASKS);
        assertThat(text(call("sometimes", "{}"))).isEqualTo("5");
        assertThat(text(call("sometimes", "{\"rows\":999}"))).isEqualTo("999");
        var task = call("sometimes", "{\"rows\":1000}");
        assertThat(task.path("resultType").stringValue()).isEqualTo("task");
        var id = "\"taskId\":\"" + task.path("taskId").stringValue() + "\"";
        // The job outlives the server, and so would keep its folder.
        while (!ask("tasks/get", id).path("status").stringValue().equals("completed")) {
            Thread.onSpinWait();
        }
    }

    @Test
    void a_client_that_asks_for_a_task_gets_one_for_a_short_call_too() throws IOException {
        speak("2025-11-25", PLAIN);
        assertThat(tool("sometimes").at("/execution/taskSupport").stringValue()).isEqualTo("optional");
        assertThat(text(call("sometimes", "{\"rows\":1}"))).isEqualTo("1");
        var task = ask("tools/call", "\"name\":\"sometimes\",\"arguments\":{\"rows\":1},\"task\":{}");
        var result =
                ask("tasks/result", "\"taskId\":\"" + task.at("/task/taskId").stringValue() + "\"");
        assertThat(text(result)).isEqualTo("1");
    }

    @Test
    void immediate_words_come_with_the_task() throws IOException {
        speak("2025-11-25", PLAIN);
        var created = ask("tools/call", "\"name\":\"words\",\"task\":{}");
        assertThat(created.toString()).contains("Working on it.");
        ask("tasks/cancel", "\"taskId\":\"" + created.at("/task/taskId").stringValue() + "\"");
    }

    @Test
    void a_result_comes_in_parts_with_tokens_to_go_on() throws IOException {
        speak("2025-06-18", PLAIN);
        var first = call("parts", "{}");
        assertThat(text(first)).isEqualTo("first");
        var token = first.path("nextResumeToken");
        assertThat(token.isString()).isTrue();
        var next = ask("tools/call", "\"name\":\"parts\",\"arguments\":{},\"resumeToken\":" + token);
        assertThat(next.toString()).contains("second");
    }

    @Test
    void a_command_reads_values_from_its_standard_input() throws IOException {
        speak("2025-06-18", PLAIN);
        assertThat(text(call("read", "{\"rows\":[\"one\",\"$(two)\"]}"))).isEqualTo("one\n$(two)");
    }

    @Test
    void a_command_that_fails_is_run_again_as_often_as_the_file_says() throws IOException {
        speak("2025-06-18", PLAIN);
        assertThat(text(call("again", "{}"))).isEqualTo("x\nx\nx");
        assertThat(text(call("seldom", "{}"))).isEqualTo("The command ended with exit code 4.");
        assertThat(Files.readAllLines(folder.resolve("seldom"))).hasSize(1);
    }

    @Test
    void codes_for_a_terminal_stay_in_raw_output_alone() throws IOException {
        speak("2025-06-18", PLAIN);
        assertThat(text(call("coloured", "{}"))).isEqualTo("\u001b[31mred\u001b[0m");
        assertThat(text(call("plain", "{}"))).isEqualTo("red");
    }

    private static String text(JsonNode result) {
        return result.at("/content/0/text").asString(result.toString());
    }

    private JsonNode tool(String name) throws IOException {
        return ask("tools/list", "")
                .path("tools")
                .valueStream()
                .filter(tool -> tool.path("name").stringValue().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void speak(String version, String capabilities) throws IOException {
        if (version.equals(NEWEST)) {
            meta = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                    + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"c\",\"version\":\"1\"},"
                    + "\"io.modelcontextprotocol/clientCapabilities\":" + capabilities + "}";
            return;
        }
        talk.open(version, capabilities);
    }

    private JsonNode call(String tool, String arguments) throws IOException {
        return ask("tools/call", "\"name\":\"" + tool + "\",\"arguments\":" + arguments);
    }

    private JsonNode ask(String method, String params) throws IOException {
        var all = params + (params.isEmpty() || meta.isEmpty() ? "" : ",") + meta;
        var message = talk.ask(method, "{" + all + "}");
        assertThat(message.has("result")).as(message::toString).isTrue();
        return message.path("result");
    }

    private List<String> heard() {
        return talk.heard().stream().map(JsonNode::toString).toList();
    }
}
