// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.StartedJvm;
import io.longhaul.cli.terminal.TestTerminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
        var home = Path.of("home");
        var here = Path.of("here");
        var files = Stream.of(Host.values()).map(host -> host.file(home, here, "linux", Map.of()));
        assertThat(files.map(Path::toString))
                .containsExactly(
                        "home/.config/Claude/claude_desktop_config.json",
                        "here/.mcp.json",
                        "here/.vscode/mcp.json",
                        "home/.cursor/mcp.json",
                        "home/.codeium/windsurf/mcp_config.json",
                        "home/.config/zed/settings.json",
                        "home/.codex/config.toml",
                        "home/.gemini/settings.json",
                        "home/.config/goose/config.yaml",
                        "home/.junie/mcp/mcp.json");
        assertThat(Host.CLAUDE.file(home, here, "mac os x", Map.of()))
                .isEqualTo(home.resolve("Library/Application Support/Claude/claude_desktop_config.json"));
        var windows = Map.of("APPDATA", "/data", "CODEX_HOME", "/codex");
        assertThat(Host.CLAUDE.file(home, here, "windows 11", windows))
                .isEqualTo(Path.of("/data/Claude/claude_desktop_config.json"));
        assertThat(Host.ZED.file(home, here, "windows 11", windows)).isEqualTo(Path.of("/data/Zed/settings.json"));
        assertThat(Host.GOOSE.file(home, here, "windows 11", windows))
                .isEqualTo(Path.of("/data/Block/goose/config/config.yaml"));
        assertThat(Host.CODEX.file(home, here, "windows 11", windows)).isEqualTo(Path.of("/codex/config.toml"));
    }

    @Test
    void a_server_with_an_address_is_in_the_words_of_each_host() {
        var url = "http://127.0.0.1:8080/mcp";
        assertThat(printed("cursor", url)).contains("\"url\" : \"" + url + "\"");
        assertThat(printed("vscode", url)).contains("\"type\" : \"http\"");
        assertThat(printed("windsurf", url)).contains("\"serverUrl\"");
        assertThat(printed("zed", url)).contains("context_servers").doesNotContain("source");
        assertThat(printed("gemini", url)).contains("\"httpUrl\"");
        assertThat(printed("goose", url)).contains("\"type\":\"streamable_http\"", "\"uri\"");
        assertThat(printed("codex", url)).isEqualTo("[mcp_servers.longhaul]\nurl = \"" + url + "\"\n");
        assertThat(printed("claude", url)).contains("\"gateway\", \"" + url + "\"");
        assertThat(printed("cursor", "https://tools.example.com/mcp")).contains("tools-example-com");
        assertThat(printed("claude-code", url))
                .isEqualTo("claude mcp add-json --scope user longhaul '{\"type\":\"http\",\"url\":\"" + url + "\"}'\n");
    }

    @Test
    void a_host_starts_npx_where_npx_has_started_this_program() {
        var env = Map.of("LONGHAUL_NPX", "longhaul@1.2.3", "PATH", "/nowhere");
        var byNpx = TestTerminal.with(env);
        new Cli(byNpx.terminal()).run(List.of("install", "claude", file.toString()));
        assertThat(json(byNpx.out()).at("/mcpServers/reports").toString())
                .isEqualTo("{\"command\":\"npx\",\"args\":[\"-y\",\"longhaul@1.2.3\",\"serve\",\"--stdio\",\"" + file
                        + "\"]}");
        var named = TestTerminal.with(env);
        new Cli(named.terminal()).run(List.of("install", "claude", file.toString(), "--command", "/opt/longhaul"));
        assertThat(json(named.out()).at("/mcpServers/reports/command").asString())
                .isEqualTo("/opt/longhaul");
    }

    private String printed(String host, String server) {
        assertThat(run("install", host, server)).as(user.err()).isZero();
        return user.out();
    }

    /** Installs into a file with this text, checks the text then, and uninstalls. */
    private String uninstalled(String host, String before, String after) throws IOException {
        var target = Files.writeString(folder.resolve("config"), before);
        assertThat(run("install", host, "http://localhost:1/mcp", "--name", "a", "--write", "--to", target.toString()))
                .as(user.err())
                .isZero();
        assertThat(Files.readString(target)).isEqualTo(after);
        assertThat(run("uninstall", host, "a", "--to", target.toString()))
                .as(user.err())
                .isZero();
        return Files.readString(target);
    }

    @Test
    void comments_and_the_order_of_everything_stay_in_the_file_of_an_editor() throws IOException {
        var editor = """
                {
                  // the theme
                  "theme": "dark", /* not light */
                  "context_servers": {
                    "b": {"url": "http://b//x"}, // mine
                  },
                }
                """;
        assertThat(uninstalled("zed", editor, """
                {
                  // the theme
                  "theme": "dark", /* not light */
                  "context_servers": {
                    "a" : {
                      "url" : "http://localhost:1/mcp"
                    },
                    "b": {"url": "http://b//x"}, // mine
                  },
                }
                """)).isEqualTo(editor);
    }

    @Test
    void a_file_without_servers_gets_them_first() throws IOException {
        assertThat(uninstalled("cursor", "{\n  \"x\": [1, {}] // y\n}\n", """
                {
                  "mcpServers" : {
                    "a" : {
                      "url" : "http://localhost:1/mcp"
                    }
                  },
                  "x": [1, {}] // y
                }
                """))
                .isEqualTo("{\n  \"mcpServers\" : {\n  },\n  \"x\": [1, {}] // y\n}\n");
        assertThat(uninstalled("cursor", "{\"mcpServers\":{}}", """
                {"mcpServers":{
                  "a" : {
                    "url" : "http://localhost:1/mcp"
                  }
                }}""")).isEqualTo("{\"mcpServers\":{\n}}");
    }

    @Test
    void the_last_server_goes_with_the_comma_before_it() throws IOException {
        var target = Files.writeString(folder.resolve("c.json"), "{\"mcpServers\":{\"b\":1, /* b */ \"a\":2}}");
        assertThat(run("uninstall", "cursor", "a", "--to", target.toString())).isZero();
        assertThat(target).hasContent("{\"mcpServers\":{\"b\":1 /* b */}}");
        Files.writeString(target, "{\"mcpServers\":{\"b\":1 // b, c\n, \"a\":2}}");
        assertThat(run("uninstall", "cursor", "a", "--to", target.toString())).isZero();
        assertThat(target).hasContent("{\"mcpServers\":{\"b\":1 // b, c\n}}");
        assertThat(run("uninstall", "cursor", "a", "--to", target.toString())).isEqualTo(2);
        assertThat(user.err()).contains("there is no server a in " + target);
    }

    @Test
    void a_table_of_codex_is_added_behind_all_others_and_goes_with_its_subtables() throws IOException {
        var toml = """
                model = "m" # mine

                [mcp_servers.b]
                command = "x"
                notes = \"""
                [mcp_servers.a]
                \"""

                [mcp_servers.b.env]
                K = "1"
                """;
        assertThat(uninstalled("codex", toml, toml + "\n[mcp_servers.a]\nurl = \"http://localhost:1/mcp\"\n"))
                .isEqualTo(toml);
        var target = Files.writeString(folder.resolve("c.toml"), "[mcp_servers.b.env]\nK = \"1\"\n[other]\nx = 1\n");
        assertThat(run("uninstall", "codex", "b", "--to", target.toString())).isZero();
        assertThat(target).hasContent("[other]\nx = 1\n");
        Files.writeString(target, "[mcp_servers]\nb = {command = \"x\"}\n");
        assertThat(run("install", "codex", file.toString(), "--write", "--to", target.toString()))
                .isEqualTo(2);
        assertThat(user.err()).contains("another form than a table for each").contains("by hand");
    }

    @Test
    void an_extension_of_goose_is_added_to_the_others_and_goes_with_its_lines() throws IOException {
        var yaml = """
                GOOSE_MODEL: m # mine
                extensions:
                  developer:
                    enabled: true
                # the end
                GOOSE_MODE: auto
                """;
        assertThat(uninstalled("goose", yaml, yaml.replace("extensions:\n", """
                extensions:
                  "a": {"enabled":true,"type":"streamable_http","name":"a","description":"","timeout":300,\
                "uri":"http://localhost:1/mcp"}
                """)))
                .isEqualTo(yaml);
        assertThat(uninstalled("goose", "GOOSE_MODE: auto\n", """
                GOOSE_MODE: auto
                extensions:
                  "a": {"enabled":true,"type":"streamable_http","name":"a","description":"","timeout":300,\
                "uri":"http://localhost:1/mcp"}
                """)).isEqualTo("GOOSE_MODE: auto\nextensions:\n");
        var target = Files.writeString(folder.resolve("c.yaml"), "extensions:\n  a:\n    cmd: x\n  b:\n    cmd: y\n");
        assertThat(run("uninstall", "goose", "a", "--to", target.toString())).isZero();
        assertThat(target).hasContent("extensions:\n  b:\n    cmd: y\n");
        Files.writeString(target, "extensions: {b: {cmd: y}}\n");
        assertThat(run("install", "goose", file.toString(), "--write", "--to", target.toString()))
                .isEqualTo(2);
        assertThat(target).hasContent("extensions: {b: {cmd: y}}\n");
    }

    @Test
    void the_first_backup_stays() throws IOException {
        var target = Files.writeString(folder.resolve("host.json"), "{}");
        for (var name : List.of("a", "b")) {
            assertThat(run("install", "claude", file.toString(), "--name", name, "--write", "--to", target.toString()))
                    .isZero();
        }
        assertThat(folder.resolve("host.json.bak")).hasContent("{}");
        assertThat(json(Files.readString(target)).path("mcpServers").propertyNames())
                .containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void claude_code_is_told_by_its_own_command() throws Exception {
        var bin = Files.createDirectory(folder.resolve("bin"));
        for (var program : List.of("claude", "longhaul")) {
            var script =
                    Files.writeString(bin.resolve(program), "#!/bin/sh\nprintf '%s|' \"$@\" >> '" + bin + "/said'\n");
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        for (var line : List.of(
                List.of("install", "claude-code", file.toString(), "--write"),
                List.of("uninstall", "claude-code", file.toString()))) {
            var program = new ProcessBuilder(
                    Stream.concat(StartedJvm.program().stream(), line.stream()).toList());
            program.environment().put("PATH", bin + ":/usr/bin:/bin");
            assertThat(program.start().waitFor()).isZero();
        }
        assertThat(bin.resolve("said"))
                .hasContent("mcp|add-json|--scope|user|reports|{\"type\":\"stdio\",\"command\":\"" + bin
                        + "/longhaul\",\"args\":[\"serve\",\"--stdio\",\"" + file
                        + "\"]}|mcp|remove|--scope|user|reports|");
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
        assertThat(user.err()).contains("host.json.bak").contains("Restart Claude Desktop.");
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
    void a_file_that_is_no_json_is_left_as_it_is() throws IOException {
        var target = Files.writeString(folder.resolve("mcp.json"), "{\"servers\": {}, \"x\"");
        assertThat(run("install", "vscode", file.toString(), "--write", "--to", target.toString()))
                .isEqualTo(2);
        assertThat(target).hasContent("{\"servers\": {}, \"x\"");
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
