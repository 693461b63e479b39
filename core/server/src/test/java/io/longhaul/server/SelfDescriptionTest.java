// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.fakes.MemoryTransport;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a server says of itself, in the words of each version. */
class SelfDescriptionTest {

    private static final String SERVER_INFO = "io.modelcontextprotocol/serverInfo";

    @AutoClose
    private final Served served = Served.with(server -> server.tool(Tools.greet())
            .title("The Reports")
            .description("Makes reports")
            .websiteUrl(URI.create("https://example.com/reports"))
            .icons(Icon.at("https://example.com/r.png").withSizes("48x48"))
            .extension("com.example/x", Map.of("level", 2)));

    @Test
    void each_version_is_told_what_it_has_words_for() {
        assertThat(told("2024-11-05").propertyNames()).containsExactly("name", "version");
        assertThat(told("2025-03-26").propertyNames()).containsExactly("name", "version");
        assertThat(told("2025-06-18").propertyNames()).containsExactly("name", "version", "title");
        assertThat(told("2025-11-25")).isEqualTo(discovered());
        assertThat(discovered().path("websiteUrl").asString()).isEqualTo("https://example.com/reports");
        assertThat(discovered().path("description").asString()).isEqualTo("Makes reports");
        assertThat(discovered().path("icons").path(0).path("src").asString()).isEqualTo("https://example.com/r.png");
    }

    @Test
    void pictures_are_told_once_and_not_with_every_result() {
        var meta = served.stateless("{}").ask("tools/list", "{}").path("result").path("_meta");
        assertThat(meta.path(SERVER_INFO).propertyNames()).containsExactly("name", "title", "version");
    }

    @Test
    void extensions_are_told_in_both_eras() {
        assertThat(opened("2025-11-25")
                        .at("/capabilities/experimental/com.example~1x/level")
                        .asInt())
                .isEqualTo(2);
        var discovered = served.stateless("{}").ask("server/discover", "{}").path("result");
        assertThat(discovered
                        .at("/capabilities/extensions/com.example~1x/level")
                        .asInt())
                .isEqualTo(2);
    }

    @Test
    void an_extension_that_is_announced_twice_is_a_mistake() {
        var server = McpServer.builder("twice", "1").extension("com.example/x", Map.of());
        for (String id : List.of("com.example/x", "io.modelcontextprotocol/tasks", "io.longhaul/creation-key")) {
            assertThatThrownBy(() -> server.extension(id, Map.of())).hasMessageContainingAll(id, "leave");
        }
    }

    @Test
    void a_definition_serves_once() {
        var server = McpServer.builder("once", "1");
        server.serve(new MemoryTransport()).close();
        assertThatThrownBy(() -> server.serve(new MemoryTransport())).hasMessageContaining("define another one");
    }

    @Test
    void an_icon_is_a_picture_that_a_client_may_load() {
        for (String src : List.of("sun.png", "javascript:alert(1)", "file:///etc/sun.png")) {
            assertThatThrownBy(() -> Icon.at(src)).hasMessageContainingAll("https: or data:", src);
        }
    }

    @Test
    void tasks_are_announced_where_a_tool_makes_them() {
        assertThat(opened("2025-11-25").path("capabilities").has("tasks")).isFalse();
        var before = served.stateless("{}").ask("server/discover", "{}").path("result");
        assertThat(before.path("capabilities").path("extensions").propertyNames())
                .containsExactly("com.example/x");
        try (var lasting = Served.with(Tools.asks())) {
            var opened = lasting.connect();
            opened.send(Served.request(1, "initialize", initialize("2025-11-25")));
            assertThat(opened.next()).contains("\"tasks\":{").contains("io.longhaul/creation-key");
            var after = lasting.stateless("{}").ask("server/discover", "{}").path("result");
            assertThat(after.path("capabilities").path("extensions").propertyNames())
                    .contains("io.modelcontextprotocol/tasks");
        }
    }

    private JsonNode told(String version) {
        return opened(version).path("serverInfo");
    }

    private JsonNode discovered() {
        return served.stateless("{}")
                .ask("server/discover", "{}")
                .path("result")
                .path("_meta")
                .path(SERVER_INFO);
    }

    private JsonNode opened(String version) {
        try (var client = served.connect()) {
            client.send(Served.request(1, "initialize", initialize(version)));
            return Served.json(client.next()).path("result");
        }
    }

    private static String initialize(String version) {
        return "{\"protocolVersion\":\"" + version
                + "\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}";
    }
}
