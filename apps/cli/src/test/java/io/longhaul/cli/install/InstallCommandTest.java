// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.terminal.TestTerminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class InstallCommandTest {

    private TestTerminal user = TestTerminal.silent();

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("reports.yaml"), "tools: {}\n");
    }

    @Test
    void the_configuration_of_each_host_is_printed_in_its_words() {
        assertThat(run("install", "claude", file.toString())).isZero();
        assertThat(json(user.out()).at("/mcpServers/reports/command").asString())
                .isEqualTo("longhaul");
        assertThat(json(user.out()).at("/mcpServers/reports/args").toString())
                .isEqualTo("[\"serve\",\"--stdio\",\"" + file + "\"]");
        assertThat(run("install", "cursor", file.toString(), "--name", "other", "--command", "/opt/longhaul"))
                .isZero();
        assertThat(json(user.out()).at("/mcpServers/other/command").asString()).isEqualTo("/opt/longhaul");
        assertThat(run("install", "vscode", file.toString())).isZero();
        assertThat(json(user.out()).at("/servers/reports/type").asString()).isEqualTo("stdio");
    }

    @Test
    void each_host_has_its_servers_in_a_file_of_its_own() {
        var home = Path.of("/home/ada");
        var here = Path.of("/work");
        assertThat(Host.CLAUDE.file(home, here, "mac os x", Map.of()))
                .isEqualTo(home.resolve("Library/Application Support/Claude/claude_desktop_config.json"));
        assertThat(Host.CLAUDE.file(home, here, "windows 11", Map.of("APPDATA", "/data")))
                .isEqualTo(Path.of("/data/Claude/claude_desktop_config.json"));
        assertThat(Host.CLAUDE.file(home, here, "linux", Map.of()))
                .isEqualTo(home.resolve(".config/Claude/claude_desktop_config.json"));
        assertThat(Host.VSCODE.file(home, here, "linux", Map.of())).isEqualTo(here.resolve(".vscode/mcp.json"));
        assertThat(Host.CURSOR.file(home, here, "linux", Map.of())).isEqualTo(home.resolve(".cursor/mcp.json"));
    }

    @Test
    void what_else_is_in_the_file_of_a_host_stays_and_the_old_file_is_kept() throws IOException {
        var old =
                "{\"theme\":\"dark\",\"mcpServers\":{\"files\":{\"command\":\"x\"},\"reports\":{\"command\":\"old\"}}}";
        var target = Files.writeString(folder.resolve("host.json"), old);
        assertThat(run("install", "claude", file.toString(), "--write", "--to", target.toString()))
                .isZero();
        var now = json(Files.readString(target));
        assertThat(now.path("theme").asString()).isEqualTo("dark");
        assertThat(now.at("/mcpServers/files/command").asString()).isEqualTo("x");
        assertThat(now.at("/mcpServers/reports/command").asString()).isEqualTo("longhaul");
        assertThat(folder.resolve("host.json.bak")).hasContent(old);
        assertThat(user.err()).contains("host.json.bak").contains("Restart the host.");
    }

    @Test
    void a_file_that_is_not_there_is_made_with_its_folder() throws IOException {
        var target = folder.resolve("deep/mcp.json");
        assertThat(run("install", "vscode", file.toString(), "--write", "--to", target.toString()))
                .isZero();
        assertThat(json(Files.readString(target)).at("/servers/reports/command").asString())
                .isEqualTo("longhaul");
        assertThat(folder.resolve("deep")).isDirectoryNotContaining("glob:**.bak");
    }

    @Test
    void a_file_that_is_no_plain_json_is_left_as_it_is() throws IOException {
        var target = Files.writeString(folder.resolve("mcp.json"), "{ // a comment\n}");
        assertThat(run("install", "vscode", file.toString(), "--write", "--to", target.toString()))
                .isEqualTo(2);
        assertThat(target).hasContent("{ // a comment\n}");
        assertThat(user.err()).contains("left as it is");
        assertThat(run("install", "emacs", file.toString())).isEqualTo(2);
        assertThat(run("install", "claude", folder.resolve("none.yaml").toString()))
                .isEqualTo(2);
    }

    @Test
    void a_link_to_the_file_stays_a_link_and_others_may_read_the_file_as_before() throws IOException {
        var real = Files.writeString(
                Files.createDirectory(folder.resolve("dotfiles")).resolve("claude.json"), "{}");
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-rw-r--"));
        var link = Files.createSymbolicLink(folder.resolve("host.json"), real);
        assertThat(run("install", "claude", file.toString(), "--write", "--to", link.toString()))
                .isZero();
        assertThat(link).isSymbolicLink();
        assertThat(json(Files.readString(real))
                        .at("/mcpServers/reports/command")
                        .asString())
                .isEqualTo("longhaul");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(real)))
                .isEqualTo("rw-rw-r--");
        assertThat(real.getParent()).isDirectoryNotContaining("glob:**.new");
    }

    @Test
    void a_file_that_would_not_be_written_is_no_option() {
        var target = folder.resolve("mcp.json");
        assertThat(run("install", "claude", file.toString(), "--to", target.toString()))
                .isEqualTo(2);
        assertThat(user.err()).contains("add --write");
        assertThat(user.out()).isEmpty();
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    private int run(String... line) {
        user = TestTerminal.silent();
        return new Cli(user.terminal()).run(List.of(line));
    }
}
