// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.call;

import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.receiver.question.AskingTest;
import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.McpServer;
import io.longhaul.server.ResourceRequest;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused before it can do harm. */
class GuardsTest {

    private static final String CAN = "{\"elicitation\":{},\"sampling\":{},\"roots\":{}}";
    private static final String SAMPLED =
            "{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"type\":\"text\",\"text\":\"go on\"}}";

    @Test
    void a_variable_names_a_file_of_its_folder_and_never_one_outside(@TempDir Path temp) throws IOException {
        Path folder = Files.createDirectory(temp.resolve("notes"));
        Files.writeString(temp.resolve("secret"), "s");
        Files.writeString(folder.resolve("one"), "1");
        Files.createSymbolicLink(folder.resolve("out"), temp);
        Files.createSymbolicLink(folder.resolve("gone"), temp.resolve("nothing"));
        assertThat(file("one", folder)).isEqualTo(folder.toRealPath().resolve("one"));
        assertThat(file("new/deep", folder)).isEqualTo(folder.toRealPath().resolve("new/deep"));
        for (String path : new String[] {
            "../secret", "a/../../secret", temp + "/secret", "out/secret", "out/new", "gone", "a\0b", "../notes2/x"
        }) {
            assertThat(file(path, folder)).as(path).isNull();
        }
    }

    private static Path file(String path, Path folder) {
        return new ResourceRequest("note://x", Map.of("path", path))
                .file("path", folder)
                .orElse(null);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"name", "/name", "9a/name", "a-/name", "a..b/name", "com.example/-x", "com.example/x_", "a b/c"})
    void an_extension_has_a_prefix_and_a_name_that_the_protocol_allows(String bad) {
        var server = McpServer.builder("a", "1");
        assertThatThrownBy(() -> server.extension(bad, Map.of())).hasMessageContaining(bad);
        assertThatCode(() -> server.extension("com.example-2/a.b_c", Map.of())).doesNotThrowAnyException();
    }

    @Test
    void a_root_that_is_no_folder_is_no_answer() {
        try (var served = Served.with(Tools.roots())) {
            var client = served.stateless(CAN);
            String call = Served.call("roots", "{}");
            var asked = client.ask("tools/call", call).path("result");
            String good = AskingTest.answered(call, asked);
            var error = client.ask("tools/call", good.replace("file:///work", "https://x.example/"))
                    .path("error");
            assertThat(error.path("code").asInt()).isEqualTo(-32602);
            assertThat(text(client.ask("tools/call", good).path("result"))).isEqualTo("file:///work");
        }
    }

    @ParameterizedTest
    @CsvSource({"false,100", "true,32"})
    void a_loop_with_a_model_that_never_ends_is_ended(boolean isLong, int questions) {
        var made = Tool.define("loops");
        var loops = (isLong ? made.longRunning() : made).handler((none, task) -> {
            while (true) {
                task.sample(new CreateMessageRequest("On?", 10));
            }
        });
        try (var served = Served.with(loops)) {
            var client = served.handshake("2025-11-25", CAN);
            var reply = client.send("tools/call", Served.call("loops", "{}"));
            for (int i = 0; i < questions; i++) {
                client.answer(Served.json(reply.nextMessage()), SAMPLED).status();
            }
            var error = Served.json(reply.response()).path("error");
            assertThat(error.path("code").asInt()).isEqualTo(-32603);
            assertThat(error.path("message").asString()).contains(questions + " questions");
        }
    }

    @Test
    void a_schema_of_a_dialect_that_nobody_knows_is_refused_where_it_is_written() {
        var tool = Tool.define("t");
        assertThatThrownBy(() -> tool.inputSchema("{\"$schema\":\"https://x.example/mine\",\"type\":\"object\"}"))
                .hasMessageContaining("tool 't'")
                .hasMessageContaining("https://x.example/mine");
        assertThatCode(() -> tool.inputSchema(
                        "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\"}"))
                .doesNotThrowAnyException();
    }

    @Test
    void a_schema_is_read_in_the_dialect_that_it_names() {
        String tuple = "\"type\":\"object\",\"properties\":{\"a\":{\"items\":[{\"type\":\"string\"}]}}}";
        assertThatThrownBy(() -> Tool.define("t").inputSchema("{" + tuple)).hasMessageContaining("tool 't'");
        for (String older : new String[] {
            "http://json-schema.org/draft-04/schema#",
            "http://json-schema.org/draft-06/schema#",
            "http://json-schema.org/draft-07/schema#",
            "https://json-schema.org/draft/2019-09/schema"
        }) {
            assertThatCode(() -> Tool.define("t").inputSchema("{\"$schema\":\"" + older + "\"," + tuple))
                    .as(older)
                    .doesNotThrowAnyException();
        }
    }
}
