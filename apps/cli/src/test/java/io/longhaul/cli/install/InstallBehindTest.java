// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.terminal.TestTerminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A gateway that takes the place of the servers of a host, and leaves it. */
class InstallBehindTest {

    private static final String CONFIG = """
        {
          // mine
          "theme": "dark",
          "mcpServers": {
            "files": {"command": "npx", "args": ["-y", "files"], "env": {"KEY": "k"}},
            "web": {"url": "https://a.example/mcp"}
          }
        }
        """;

    private TestTerminal user = TestTerminal.silent();

    @TempDir
    Path folder;

    private Path config;

    @BeforeEach
    void write() throws IOException {
        config = Files.writeString(folder.resolve("config.json"), CONFIG);
    }

    private int run(String... line) {
        user = TestTerminal.with(
                Map.of("XDG_STATE_HOME", folder.resolve("state").toString()));
        return new Cli(user.terminal()).run(List.of(line));
    }

    private int install(String... more) {
        var line = new ArrayList<>(List.of("install", "claude", "--behind", "--to", config.toString()));
        line.addAll(List.of(more));
        return run(line.toArray(String[]::new));
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text.replaceAll("(?m)^ *//.*$", ""));
    }

    private JsonNode servers() throws IOException {
        return json(Files.readString(config)).path("mcpServers");
    }

    private Path kept() throws IOException {
        return Path.of(servers().at("/longhaul-gateway/args/1").stringValue());
    }

    @Test
    void nothing_is_changed_without_write() throws IOException {
        assertThat(install()).as(user.err()).isZero();
        assertThat(user.out()).contains("\"longhaul-gateway\"", "\"gateway\"");
        assertThat(user.err()).contains("in place of files, web.");
        assertThat(config).hasContent(CONFIG);
    }

    @Test
    void the_servers_move_to_a_private_file_and_come_back() throws IOException {
        assertThat(install("--write", "--command", "/opt/longhaul"))
                .as(user.err())
                .isZero();
        assertThat(servers().propertyNames()).containsExactly("longhaul-gateway");
        assertThat(servers().at("/longhaul-gateway/command").stringValue()).isEqualTo("/opt/longhaul");
        assertThat(Files.readString(config)).contains("// mine", "\"theme\": \"dark\"");
        var kept = kept();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
                .isEqualTo("rw-------");
        var moved = json(Files.readString(kept));
        assertThat(moved.path("mcpServers")).isEqualTo(json(CONFIG).path("mcpServers"));
        assertThat(moved.path("movedFrom").stringValue()).isEqualTo(config.toString());

        assertThat(run("uninstall", "claude", "--behind", "--to", config.toString()))
                .as(user.err())
                .isZero();
        assertThat(servers()).isEqualTo(json(CONFIG).path("mcpServers"));
        assertThat(servers().propertyNames()).containsExactly("files", "web");
        assertThat(kept).doesNotExist();
        assertThat(run("uninstall", "claude", "--behind", "--to", config.toString()))
                .isEqualTo(2);
        assertThat(user.err()).contains("no servers of " + config + " are behind a gateway");
    }

    @Test
    void a_server_that_was_added_since_joins_the_others_and_one_of_the_user_stays_as_it_is() throws IOException {
        assertThat(install("--write")).isZero();
        assertThat(install("--write")).isEqualTo(2);
        assertThat(user.err()).contains("there are no servers in " + config + " that are not behind the gateway");
        var text = Files.readString(config);
        add(text, "\"late\": {\"command\": \"x\"}");
        assertThat(install("--write")).as(user.err()).isZero();
        assertThat(json(Files.readString(kept())).path("mcpServers").propertyNames())
                .containsExactly("files", "web", "late");
        add(text, "\"web\": {\"command\": \"own\"}");
        assertThat(run("uninstall", "claude", "longhaul-gateway", "--to", config.toString()))
                .as(user.err())
                .isZero();
        assertThat(servers().at("/web/command").stringValue()).isEqualTo("own");
        assertThat(servers().propertyNames()).containsExactlyInAnyOrder("files", "web", "late");
    }

    private void add(String text, String server) throws IOException {
        Files.writeString(config, text.replace("\"mcpServers\": {", "\"mcpServers\": {" + server + ","));
    }

    @Test
    void what_cannot_be_done_is_told() throws IOException {
        assertThat(run("install", "codex", "--behind")).isEqualTo(2);
        assertThat(user.err()).contains("Codex does not keep its servers as JSON");
        assertThat(run("install", "claude-code", "--behind")).isEqualTo(2);
        assertThat(user.err()).contains("--to .mcp.json");
        Files.writeString(config, "{\"mcpServers\": {}}");
        assertThat(install("--write")).isEqualTo(2);
        assertThat(user.err()).contains("there are no servers in " + config + ".");
        Files.writeString(config, "{\"mcpServers\": {\"longhaul-gateway\": {}, \"a\": {}}}");
        assertThat(install("--write")).isEqualTo(2);
        assertThat(user.err()).contains("has another server longhaul-gateway");
        Files.writeString(config, "{nothing");
        assertThat(install("--write")).isEqualTo(2);
        assertThat(user.err()).contains("is left as it is");
        assertThat(config).hasContent("{nothing");
    }
}
