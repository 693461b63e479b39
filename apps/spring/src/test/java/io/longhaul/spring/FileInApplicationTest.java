// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.file.ServerFile;
import io.longhaul.server.McpServer;
import io.longhaul.server.annotation.McpTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

/** An application whose server has tools of beans and of a file. */
class FileInApplicationTest {

    private static final String TOOLS = """
        tools:
          list: {command: [ls, -l]}
          size: {command: [wc, -c, tools.yaml]}
        """;

    @TempDir
    private Path folder;

    private WebApplicationContextRunner web;

    static class Greeter {
        @McpTool(description = "Greets")
        String greet() {
            return "Hello";
        }
    }

    @BeforeEach
    void application() {
        web = new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LonghaulAutoConfiguration.class))
                .withBean(Greeter.class)
                .withPropertyValues(
                        "longhaul.store.path=" + folder.resolve("tasks.db"),
                        "longhaul.jobs=" + folder.resolve("jobs"),
                        "longhaul.file=" + folder.resolve("tools.yaml").toUri());
    }

    @Test
    void one_server_has_the_tools_of_the_beans_and_those_that_the_command_would_serve() throws IOException {
        var file = ServerFile.read(Files.writeString(folder.resolve("tools.yaml"), TOOLS));
        web.run(context -> {
            var server = context.getBean(McpServer.class);
            assertThat(server.hasTool("greet")).isTrue();
            assertThat(file.tools()).hasSize(2).allMatch(tool -> server.hasTool(tool.name()));
        });
    }

    @Test
    void fields_that_only_the_command_follows_stop_the_start() throws IOException {
        for (var field : List.of("console: 8081", "triggers: {deploy: {tool: size, secret: {env: HOME}}}")) {
            Files.writeString(folder.resolve("tools.yaml"), TOOLS + field);
            web.run(context -> assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining(field.substring(0, field.indexOf(':'))));
        }
    }
}
