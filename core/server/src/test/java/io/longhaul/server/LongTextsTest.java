// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.longhaul.server.annotation.McpLongRunning;
import io.longhaul.server.annotation.McpTool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Tools written in Java whose texts are too long for a model. */
@Timeout(30)
class LongTextsTest {

    private static final String WHOLE = "é".repeat(30) + "-".repeat(1_000) + "ü".repeat(30);

    static class Annotated {
        @McpTool
        @McpLongRunning(resultText = 101)
        String essay() {
            return WHOLE;
        }
    }

    private static JsonNode called(Served.Handshake client, String tool) {
        return client.ask("tools/call", Served.call(tool, "{}")).path("result");
    }

    private static String read(Served.Handshake client, JsonNode link) {
        return client.ask("resources/read", "{\"uri\":\"" + link.path("uri").asString() + "\"}")
                .at("/result/contents/0/text")
                .asString();
    }

    @Test
    void a_caller_gets_the_ends_of_a_long_text_and_a_link_to_the_whole() {
        try (var served = Served.with(
                Tool.define("essay").longRunning(t -> t.resultText(101)).handler((none, task) -> WHOLE))) {
            var client = served.handshake("2025-11-25");
            var content = called(client, "essay").path("content");
            assertThat(content.path(0).path("text").asString())
                    .startsWith(
                            "é".repeat(25) + "\n[... 1020 bytes are left out here; the whole text is at longhaul://")
                    .endsWith(" ...]\n" + "ü".repeat(25));
            assertThat(content.path(1).path("type").asString()).isEqualTo("resource_link");
            assertThat(content.path(1).path("size").asInt()).isEqualTo(1_120);
            assertThat(read(client, content.path(1))).isEqualTo(WHOLE);
        }
    }

    @Test
    void each_of_several_long_texts_has_its_own_link_and_structured_content_stays_whole() {
        var second = "{\"text\":\"" + WHOLE + "\"}";
        try (var served = Served.with(Tool.define("essays")
                .longRunning(t -> t.resultText(100))
                .handler((none, task) ->
                        ToolResult.text(WHOLE).andText(second).withStructuredContent(new Essay(WHOLE))))) {
            var client = served.handshake("2025-11-25");
            var result = called(client, "essays");
            assertThat(result.at("/structuredContent/text").asString()).isEqualTo(WHOLE);
            assertThat(read(client, result.at("/content/1"))).isEqualTo(WHOLE);
            assertThat(read(client, result.at("/content/3"))).isEqualTo(second);
            assertThat(result.at("/content/1/mimeType").asString()).isEqualTo("text/plain");
            assertThat(result.at("/content/3/mimeType").asString()).isEqualTo("application/json");
        }
    }

    private record Essay(String text) {}

    @Test
    void an_annotation_says_the_same() {
        try (var served = Served.with(Tool.allOf(new Annotated()).getFirst())) {
            var client = served.handshake("2025-11-25");
            assertThat(read(client, called(client, "essay").at("/content/1"))).isEqualTo(WHOLE);
        }
    }

    @Test
    void a_text_of_exactly_that_length_is_whole_and_so_is_each_where_nothing_is_said() {
        int length = 1_120;
        try (var served = Served.with(
                Tool.define("exact").longRunning(t -> t.resultText(length)).handler((none, task) -> WHOLE),
                Tool.define("unsaid").longRunning().handler((none, task) -> WHOLE.repeat(100)))) {
            var client = served.handshake("2025-11-25");
            assertThat(called(client, "exact").path("content").toString()).doesNotContain("resource_link");
            assertThat(called(client, "unsaid").at("/content/0/text").asString())
                    .isEqualTo(WHOLE.repeat(100));
        }
    }

    @Test
    void no_length_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Tool.define("essay").longRunning(t -> t.resultText(0)))
                .withMessage("resultText must be at least 1 byte, not 0");
    }
}
