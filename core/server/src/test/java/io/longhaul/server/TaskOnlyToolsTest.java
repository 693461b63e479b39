// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Tools that can only be called as tasks, for clients of every version. */
class TaskOnlyToolsTest {

    @AutoClose
    private final Served served = Served.with(Tools.greet(), Tools.asks(), Tools.fails());

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-03-26", "2025-06-18"})
    void an_old_version_is_shown_neither_the_tool_nor_a_mode(String version) {
        var tools = tools(version);
        assertThat(names(tools)).startsWith("greet", "asks").doesNotContain("fails");
        assertThat(tools.toString()).doesNotContain("invocationMode");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-03-26", "2025-06-18"})
    void a_call_of_it_in_an_old_version_is_no_valid_request(String version) {
        var error = served.handshake(version)
                .ask("tools/call", Served.call("fails", "{}"))
                .path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32600);
        assertThat(error.path("message").asString()).contains("fails");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"tasks\":{}}",
                "{\"async\":{}}",
                "{\"experimental\":{\"resumeTokens\":{}}}",
                "{\"experimental\":{\"tasks\":{}}}"
            })
    void an_old_version_is_shown_the_tool_where_its_client_speaks_of_another_way_to_call_it(String capabilities) {
        var client = served.handshake("2025-06-18", capabilities);
        var tools = client.ask("tools/list", "{}").path("result").path("tools");
        assertThat(names(tools)).containsExactly("greet", "asks", "fails");
    }

    @Test
    void what_the_client_speaks_of_is_remembered_over_a_restart() {
        try (var served = Served.with(Tools.fails())) {
            var client = served.handshake("2025-06-18", "{\"tasks\":{}}");
            served.restart();
            assertThat(names(client.ask("tools/list", "{}").path("result").path("tools")))
                    .containsExactly("fails");
        }
    }

    @Test
    void a_version_with_words_of_its_own_for_it_is_shown_it_without_a_mode() {
        var tools = tools("2025-11-25");
        assertThat(names(tools)).startsWith("greet", "asks", "fails");
        assertThat(tools.toString()).doesNotContain("invocationMode");
        var stateless = served.stateless("{}").ask("tools/list", "{}").path("result");
        assertThat(names(stateless.path("tools"))).startsWith("greet", "asks", "fails");
        assertThat(stateless.toString()).doesNotContain("invocationMode");
    }

    private JsonNode tools(String version) {
        return served.handshake(version).ask("tools/list", "{}").path("result").path("tools");
    }

    private static Iterable<String> names(JsonNode tools) {
        return StreamSupport.stream(tools.spliterator(), false)
                .map(tool -> tool.path("name").asString())
                .toList();
    }
}
