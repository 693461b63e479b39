// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.file.tree.Mistake;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files in which hosts keep their servers. */
class HostServersTest {

    private static final Map<String, String> ENV = Map.of("TOKEN", "s3cret", "PLACE", "/srv");

    @TempDir
    Path folder;

    private ServerFile.Checked read(String host, String yaml) throws IOException {
        Files.writeString(folder.resolve("mcp.json"), host);
        return ServerFile.check(Files.writeString(folder.resolve("gateway.yaml"), yaml), ENV);
    }

    private UpstreamEntry one(String server) throws IOException {
        var checked = read("{\"mcpServers\": {\"a\": " + server + "}}", "upstreams: {file: mcp.json}");
        assertThat(checked.mistakes()).isEmpty();
        assertThat(checked.warnings()).isEmpty();
        return checked.file().upstreams().getFirst();
    }

    @Test
    void a_server_that_is_started_has_its_words_variables_and_folder() throws IOException {
        var entry = one("""
            {
              // as an editor writes it
              "command": "npx",
              "args": ["-y", "server", "${PLACE}/notes", "${NONE:-else}", "${env:TOKEN}"],
              "env": {"KEY": "${TOKEN}", "PORT": 80},
              "cwd": "${workspaceFolder}/sub",
              "timeout": 60000,
              "alwaysAllow": ["x"],
            }
            """);
        assertThat(entry.command()).containsExactly("npx", "-y", "server", "/srv/notes", "else", "s3cret");
        assertThat(entry.reached().world().variables().fixed()).isEqualTo(Map.of("KEY", "s3cret", "PORT", "80"));
        assertThat(entry.reached().world().cwd()).isEqualTo(folder.resolve("sub"));
        assertThat(entry.limits().timeout()).isEqualTo(Duration.ofMinutes(1));
        assertThat(entry.toString()).doesNotContain("s3cret");
    }

    @Test
    void a_server_at_an_address_has_the_words_of_each_host() throws IOException {
        for (var field : List.of("url", "httpUrl", "serverUrl", "uri")) {
            var entry = one("{\"type\": \"http\", \"" + field + "\": \"https://${HOST:-a.example}/mcp\","
                    + " \"headers\": {\"Authorization\": \"Bearer ${TOKEN}\"}, \"timeout\": 30}");
            assertThat(entry.reached().url()).isEqualTo("https://a.example/mcp");
            assertThat(entry.reached().sent().texts()).isEqualTo(Map.of("Authorization", "Bearer s3cret"));
            assertThat(entry.limits().timeout()).isEqualTo(Duration.ofSeconds(30));
        }
    }

    @Test
    void the_tools_that_a_host_hides_stay_hidden_and_variables_come_from_a_file() throws IOException {
        Files.writeString(folder.resolve(".env"), "# mine\nexport KEY='of file'\nOTHER=a=b\n\n");
        var entry = one("{\"command\": {\"path\": \"x\", \"args\": [\"y\"]}, \"envFile\": \".env\","
                + " \"includeTools\": [\"a\"], \"excludeTools\": [\"b\"], \"disabledTools\": [\"c\"]}");
        assertThat(entry.command()).containsExactly("x", "y");
        assertThat(entry.offered().chosen())
                .isEqualTo(new UpstreamEntry.Chosen(List.of("a"), List.of("b", "c"), false, List.of()));
        assertThat(entry.reached().world().variables().fixed()).isEqualTo(Map.of("KEY", "of file", "OTHER", "a=b"));
    }

    @Test
    void servers_that_are_off_are_left_out_and_those_that_cannot_be_used_are_told() throws IOException {
        var gateway = folder.resolve("gateway.yaml");
        var checked = read("""
            {"servers": {
              "off": {"command": "x", "disabled": true},
              "neither": {"type": "stdio"},
              "asks": {"command": "x", "env": {"A": "${input:key}"}},
              "lacks": {"command": "x", "env": {"A": "${NO_SUCH}"}},
              "lost": {"command": "x", "envFile": "no. such.env"},
              "self": {"command": "longhaul", "args": ["gateway", "%s"]},
              "@scope/with a very long name of its own": {"command": "x"},
              "@scope with a very long name of its own": {"command": "x"},
              "ftp": {"url": "ftp://a.example"}
            }}
            """.formatted(gateway), "upstreams: {file: mcp.json}");
        assertThat(checked.mistakes()).isEmpty();
        assertThat(checked.file().upstreams())
                .extracting(UpstreamEntry::name)
                .containsExactly("_scope_with_a_very_long_name_of_", "_scope_with_a_very_long_name__2");
        assertThat(new TreeSet<>(checked.warnings().stream().map(Mistake::text).toList()))
                .hasSize(6)
                .anyMatch(text -> text.contains("\"asks\", which is left out: the gateway cannot fill in ${input:key}"))
                .anyMatch(text -> text.contains("\"lacks\", which is left out: the variable NO_SUCH is not set"))
                .anyMatch(text -> text.endsWith("no. such.env cannot be read. Name a file that is there."))
                .anyMatch(text -> text.contains("\"neither\", which is left out: it has neither command nor url"))
                .anyMatch(text -> text.contains("\"self\", which is left out: it is this gateway"))
                .anyMatch(text -> text.contains("\"ftp\", which is left out"));
    }

    @Test
    void an_entry_without_an_address_adds_to_the_server_of_its_name() throws IOException {
        var checked = read("{\"mcpServers\": {\"a\": {\"command\": \"x\"}, \"b\": {\"command\": \"y\"}}}", """
            upstreams:
              file: mcp.json
              b: {prefix: b_, long: [run], pin: true, timeout: 5s}
              c: {url: "http://c.example/mcp"}
            """);
        assertThat(checked.mistakes()).isEmpty();
        var entries = checked.file().upstreams();
        assertThat(entries).extracting(UpstreamEntry::name).containsExactly("a", "b", "c");
        assertThat(entries.get(1).command()).containsExactly("y");
        assertThat(entries.get(1).offered().prefix()).isEqualTo("b_");
        assertThat(entries.get(1).limits().timeout()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void an_entry_adds_nothing_to_a_server_that_is_off_or_left_out() throws IOException {
        var lacks = "\"lacks b\": {\"command\": \"x\", \"env\": {\"A\": \"${NO_SUCH}\"}}";
        var off = "\"off\": {\"command\": \"x\", \"disabled\": true}";
        var yaml = "upstreams: {file: mcp.json, lacks_b: {long: [run]}, off: {prefix: o_}}";
        var checked = read("{\"mcpServers\": {\"a\": {\"command\": \"x\"}, " + lacks + "," + off + "}}", yaml);
        assertThat(checked.mistakes()).isEmpty();
        assertThat(checked.file().upstreams()).extracting(UpstreamEntry::name).containsExactly("a");
        assertThat(checked.warnings())
                .extracting(Mistake::text)
                .containsExactly(folder.resolve("mcp.json") + ": has the server \"lacks b\", which is left out:"
                        + " the variable NO_SUCH is not set. Set it where the gateway is started.");
        assertThat(read("{\"mcpServers\": {" + lacks + "," + off + "}}", yaml).mistakes())
                .singleElement()
                .extracting(Mistake::text)
                .asString()
                .contains("has no server that can be served: \"lacks b\": the variable NO_SUCH is not set");
        assertThat(read("{\"mcpServers\": {" + off + "}}", "upstreams: {file: mcp.json, of: {long: [run]}}")
                        .mistakes())
                .extracting(Mistake::text)
                .anyMatch(text -> text.contains("upstreams.of: does not say where the server is"));
    }

    @Test
    void what_is_wrong_with_the_file_is_a_mistake() throws IOException {
        assertThat(read("{\n  ]", "upstreams: {file: mcp.json}").mistakes())
                .singleElement()
                .extracting(Mistake::text)
                .asString()
                .startsWith(folder.resolve("mcp.json") + ":2:3: is no JSON: Unexpected close marker ']'")
                .endsWith(". Mend it.")
                .doesNotContain("Source", "yaml");
        assertThat(read("{\n\"mcpServers\": {", "upstreams: {file: mcp.json}").mistakes())
                .singleElement()
                .extracting(Mistake::text)
                .asString()
                .contains(":2:16: is no JSON: Unexpected end-of-input")
                .doesNotContain("Source", "#UNKNOWN");
        assertThat(read("{}", "upstreams: {file: mcp.json}").mistakes())
                .singleElement()
                .extracting(Mistake::text)
                .asString()
                .contains("it has no mcpServers, servers, context_servers");
        assertThat(read("{}", "upstreams: {file: other.json, a: {concurrency: 2}}")
                        .mistakes())
                .singleElement()
                .extracting(Mistake::text)
                .asString()
                .contains("other.json cannot be read");
        var host = "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}";
        assertThat(read(host, "upstreams: {file: mcp.json, a: {env: {A: b}}}").mistakes())
                .singleElement()
                .extracting(Mistake::text)
                .asString()
                .contains("upstreams.a.env: is said in the host's file");
    }

    @Test
    void a_file_of_a_host_without_a_server_for_the_gateway_is_one_mistake() throws IOException {
        var only = "upstreams: {file: mcp.json}";
        assertThat(read("{\"mcpServers\": {}}", only).mistakes())
                .extracting(Mistake::text)
                .containsExactly(folder.resolve("mcp.json") + ": has no server that is on. Add one, or switch one on.");
        var lacks = "\"lacks\": {\"command\": \"x\", \"env\": {\"A\": \"${NO_SUCH}\"}}";
        var left = read("{\"mcpServers\": {" + lacks + "}}", only);
        assertThat(left.mistakes())
                .extracting(Mistake::text)
                .containsExactly(folder.resolve("mcp.json") + ": has no server that can be served: \"lacks\":"
                        + " the variable NO_SUCH is not set. Set it where the gateway is started.");
        assertThat(left.warnings()).isEmpty();
        var two = read("{\"mcpServers\": {" + lacks + ", \"b\": {}}}", only);
        assertThat(two.mistakes())
                .singleElement()
                .extracting(Mistake::text)
                .asString()
                .endsWith("is not set; \"b\": it has neither command nor url. Mend one of them.");
        var beside = read("{\"mcpServers\": {" + lacks + "}}", only + "\ntools: {a: {command: [ls]}}");
        assertThat(beside.mistakes()).isEmpty();
        assertThat(beside.warnings())
                .extracting(Mistake::text)
                .containsExactly(folder.resolve("mcp.json") + ": has the server \"lacks\", which is left out:"
                        + " the variable NO_SUCH is not set. Set it where the gateway is started.");
    }

    @Test
    void a_change_in_the_file_of_the_host_is_a_change_of_that_server_alone() throws IOException {
        var yaml = "upstreams: {file: mcp.json, b: {prefix: b_}}";
        var before = read("{\"mcpServers\": {\"a\": {\"command\": \"x\"}, \"b\": {\"command\": \"y\"}}}", yaml);
        var after = read("{\"mcpServers\": {\"a\": {\"command\": \"x\"}, \"b\": {\"command\": \"z\"}}}", yaml);
        var change = new FileChange(before.fields(), after.fields());
        assertThat(change.taken()).contains("upstreams ~b");
        assertThat(change.kept("upstreams")).contains("a").doesNotContain("b");
        assertThat(new FileChange(after.fields(), after.fields()).taken()).isEmpty();
    }

    @Test
    void fields_that_go_with_another_kind_of_server_are_refused() throws IOException {
        var checked = read("{}", """
            upstreams:
              web: {url: "http://a.example/mcp", env: {A: b}, idle: 5m, cwd: .}
              own: {command: [ls], cwd: nowhere, inherit: ["*", NO_SUCH]}
            """);
        assertThat(checked.mistakes())
                .extracting(Mistake::text)
                .map(text -> text.replace(folder + "/", ""))
                .anyMatch(text -> text.contains("upstreams.web.env: is for a server that is started"))
                .anyMatch(text -> text.contains("upstreams.web.idle: is for a server that is started"))
                .anyMatch(text -> text.contains("upstreams.web.cwd: is for a server that is started"))
                .anyMatch(text -> text.contains("upstreams.own.cwd: nowhere is no folder"))
                .hasSize(4);
        assertThat(checked.warnings())
                .singleElement()
                .extracting(Mistake::text)
                .asString()
                .contains("upstreams.own.inherit[1]: is a variable that is not set here");
    }
}
