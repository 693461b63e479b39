// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.client.McpClient;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program in Java that serves a file of tools. */
class FileInProgramTest {

    private static final String TOOLS = """
        tools:
          hello: {command: [echo, 'Hello {name}'], input: {name: string}}
        """;

    @TempDir
    private Path folder;

    private ServerFile file(String text) throws Exception {
        return ServerFile.read(Files.writeString(folder.resolve("tools.yaml"), text));
    }

    @Test
    void a_tool_of_the_file_is_called_beside_a_tool_of_the_program() throws Exception {
        var file = file(TOOLS);
        var mine = Tool.define("mine").handler((none, task) -> "from Java");
        var http = Http.onPort(0);
        var server = McpServer.builder("shop", "1.0").tool(mine);
        var place = FilePlace.of(SqliteTaskStore.at(folder.resolve("tasks.db")), folder.resolve("jobs"));
        try (var tools = file.addTo(server, place, http)) {
            tools.serve(http);
            try (var client = McpClient.to(http.url()).connect()) {
                var said = client.call("hello", Map.of("name", "Ada")).await();
                assertThat(said.toString()).contains("Hello Ada");
                assertThat(client.call("mine", Map.of()).await().toString()).contains("from Java");
            }
        }
    }

    @Test
    void a_field_that_only_the_command_follows_is_refused_by_its_name() throws Exception {
        var file = file(TOOLS + "console: 8081\n");
        var place = FilePlace.of(SqliteTaskStore.at(folder.resolve("tasks.db")), folder.resolve("jobs"));
        try (var store = place.store()) {
            assertThatThrownBy(() -> file.addTo(McpServer.builder("shop", "1.0"), place, Http.onPort(0)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("console");
        }
    }
}
