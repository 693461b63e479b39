// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.command.ThisProgram;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.server.McpServer;
import io.longhaul.server.Prompt;
import io.longhaul.server.PromptMessage;
import io.longhaul.server.Resource;
import io.longhaul.server.ResourceTemplate;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that show what a server has, against our own server. */
@Timeout(60)
class InspectCommandTest {

    /** Whom a prompt greets. */
    public record Name(String name) {}

    @TempDir
    Path folder;

    private final TestTerminal user = TestTerminal.silent();
    private final Http http = Http.onPort(0);
    private McpServer server;

    @BeforeEach
    void start() {
        server = McpServer.builder("shop", "1.0")
                .instructions("Be kind.\nAlways.")
                .tool(Tool.define("count")
                        .description("Counts words")
                        .inputSchema("{\"type\":\"object\",\"properties\":{\"folder\":{\"type\":\"string\","
                                + "\"description\":\"Which folder\"},"
                                + "\"unit\":{\"enum\":[\"line\",\"word\"],\"default\":\"line\"},"
                                + "\"deep\":{\"type\":\"boolean\",\"default\":false},"
                                + "\"skip\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}},"
                                + "\"required\":[\"folder\"]}")
                        .outputSchema("{\"type\":\"object\",\"properties\":{\"total\":{\"type\":\"integer\"}}}")
                        .handler((input, call) -> "1"))
                .tool(Tool.define("slow").longRunning(options -> {}).handler((input, task) -> "1"))
                .resource(Resource.define("note://one")
                        .title("First")
                        .description("A note")
                        .mimeType("text/plain")
                        .text("hello"))
                .resource(Resource.define("note://hard").text("a  \n\n"))
                .resource(Resource.define("pic://two").mimeType("image/png").blob(new byte[] {1, 2, 3}))
                .resourceTemplate(ResourceTemplate.define("row://{id}").handler((request, call) -> "row"))
                .prompt(Prompt.define("sell")
                        .description("Sells it")
                        .argument("what", "Which")
                        .handler((given, call) -> List.of(
                                PromptMessage.user("Sell " + given.get("what")), PromptMessage.assistant("I will"))))
                .prompt(Prompt.define("greet")
                        .handler((given, call) -> List.of(PromptMessage.user("Greet "
                                + call.elicit("Who?", Name.class).content().name()))))
                .store(SqliteTaskStore.at(folder.resolve("tasks.db")))
                .serve(http);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private int run(TestTerminal at, String... line) {
        var words = new ArrayList<>(List.of(line));
        words.replaceAll(word -> word.equals("URL") ? "http://127.0.0.1:" + http.port() + "/mcp" : word);
        return new Cli(at.terminal()).run(words);
    }

    private int run(String... line) {
        return run(user, line);
    }

    @Test
    void tools_are_listed_with_what_they_take_and_give() {
        assertThat(run("tools", "URL", "--generation", "2025-11-25")).isZero();
        assertThat(user.out()).startsWith("""
                count
                  Counts words
                  takes folder          text, required, Which folder
                  takes unit            line|word, by default line
                  takes deep            true|false, by default false
                  takes skip            list of text
                  gives total           whole number
                  longhaul call count folder=...
                slow  (task: optional)
                  longhaul call slow
                """);
    }

    /** A server of this revision decides for each call whether it is a task, of quick tools too. */
    @Test
    void a_tool_of_a_server_that_decides_for_each_call_is_not_said_to_be_a_task() {
        assertThat(run("tools", "URL", "--generation", "2026-07-28")).isZero();
        assertThat(user.out()).contains("\nslow\n").doesNotContain("task:");
    }

    @Test
    void resources_and_templates_are_listed_with_what_they_hold() {
        assertThat(run("resources", "URL")).isZero();
        assertThat(user.out()).isEqualTo("""
                note://one  (text/plain, 5 bytes)
                  First, A note
                note://hard  (5 bytes)
                pic://two  (image/png, 3 bytes)
                row://{id}  (template)
                """);
    }

    @Test
    void prompts_are_listed_with_their_arguments() {
        assertThat(run("prompts", "URL")).isZero();
        assertThat(user.out()).isEqualTo("""
                sell
                  Sells it
                  takes what            required, Which
                greet
                """);
    }

    @ParameterizedTest
    @CsvSource({"tools, inputSchema", "resources, uriTemplate", "prompts, arguments"})
    void as_json_a_list_has_whole_definitions(String list, String member) {
        assertThat(run(list, "URL", "--output", "json")).isZero();
        assertThat(user.out()).startsWith("{").contains("\"" + list + "\"").contains("\"" + member + "\"");
    }

    @Test
    void a_list_that_a_server_has_not_is_empty() {
        var other = Http.onPort(0);
        try (var bare = McpServer.builder("bare", "1.0")
                .store(SqliteTaskStore.at(folder.resolve("bare.db")))
                .serve(other)) {
            var url = "127.0.0.1:" + other.port();
            assertThat(run("prompts", url)).isZero();
            assertThat(run("resources", url, "--output", "json")).isZero();
        }
        assertThat(user.err()).isEqualTo("longhaul: bare has none\n");
        assertThat(user.out()).contains("\"resources\" : [ ]").contains("\"resourceTemplates\" : [ ]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-06-18", "2025-11-25", "2026-07-28"})
    void a_resource_is_read_and_a_prompt_filled_in_in_each_generation(String generation) {
        assertThat(run("read", "URL", "note://one", "--generation", generation)).isZero();
        assertThat(run("prompt", "URL", "sell", "what=a=b", "--generation", generation))
                .isZero();
        assertThat(user.out()).isEqualTo("hello" + "user: Sell a=b\nassistant: I will\n");
    }

    @Test
    void a_text_goes_into_a_pipe_with_its_spaces_and_lines_at_the_end() {
        assertThat(run("read", "URL", "note://hard")).isZero();
        assertThat(user.out()).isEqualTo("a  \n\n");
        var watching = TestTerminal.watched();
        assertThat(run(watching, "read", "URL", "note://hard")).isZero();
        assertThat(watching.out()).isEqualTo("a\n");
    }

    @Test
    void bytes_go_into_a_pipe_as_they_are_and_onto_no_terminal() {
        assertThat(run("read", "URL", "pic://two")).isZero();
        assertThat(user.out()).isEqualTo("\u0001\u0002\u0003");
        var watching = TestTerminal.watched();
        assertThat(run(watching, "read", "URL", "pic://two")).isZero();
        assertThat(watching.out()).startsWith("[image/png, 3 bytes;");
        var program = TestTerminal.silent();
        assertThat(run(program, "read", "URL", "pic://two", "--output", "json")).isZero();
        assertThat(program.out()).contains("\"blob\" : \"AQID\"").contains("\"mimeType\" : \"image/png\"");
    }

    @Test
    void what_a_prompt_asks_is_answered_as_that_of_a_call_is() {
        assertThat(run("prompt", "URL", "greet", "--answer", "name=Ada")).isZero();
        assertThat(user.out()).isEqualTo("user: Greet Ada\n");
        assertThat(run("prompt", "URL", "sell", "what=it", "--output", "json")).isZero();
        assertThat(user.out()).contains("\"role\" : \"assistant\"");
    }

    @Test
    void a_server_says_what_it_is_and_that_it_lives() {
        assertThat(run("info", "URL")).isZero();
        assertThat(user.out())
                .startsWith("name          shop 1.0\nprotocol      2026-07-28\ntasks         yes\ncapabilities  ")
                .contains("prompts")
                .endsWith("instructions  Be kind.\n  Always.\n");
        assertThat(run("info", "URL", "--output", "json")).isZero();
        assertThat(user.out()).contains("\"protocol\" : \"2026-07-28\"").contains("\"capabilities\" : {");
        assertThat(run("ping", "URL")).isZero();
        assertThat(user.out()).containsPattern("(?m)^shop answered in \\d+ ms$");
        assertThat(run("ping", "URL", "--output", "json")).isZero();
        assertThat(user.out()).containsPattern("\"millis\" : \\d+");
    }

    @Test
    void a_program_is_started_that_serves_over_its_standard_streams() throws IOException {
        var file = Files.writeString(folder.resolve("tools.yaml"), "tools:\n  good: {command: [echo, done]}\n");
        var words = new ArrayList<>(ThisProgram.command("stdio"));
        words.addAll(List.of("serve", "--stdio", file.toString(), "--data", folder.resolve("data") + ""));
        assertThat(run("tools", "stdio:'" + String.join("' '", words) + "'")).isZero();
        assertThat(user.out()).startsWith("good");
    }

    @ParameterizedTest
    @CsvSource({
        "2, tools, which server? None of yours listens here.",
        "2, read URL, the address of the resource is missing.",
        "2, prompt URL, the name of the prompt is missing.",
        "2, ping URL more, '\"more\" is one word too many.'",
        "2, read URL note://one more, '\"more\" is one word too many.'",
        "2, prompt URL sell what, '\"what\" is no argument. Write key=value.'",
        "2, prompt URL sell what=1 what=2, '\"what\" is there twice.'",
        "3, read URL note://nine, The server refused: Resource not found",
        "3, prompt URL greet, did not declare that it can be asked",
        "4, ping 127.0.0.1:1, Cannot connect to"
    })
    void what_goes_wrong_is_told(int code, String line, String told) {
        assertThat(run(line.split(" "))).isEqualTo(code);
        assertThat(user.err()).contains(told);
    }
}
