// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Arguments as deep as a message can be do not keep a server busy, whatever its tools take. */
@Timeout(30)
class DeepArgumentsTest {

    private static final int DEEP = 55;

    sealed interface Term permits Not, Maybe {}

    record Not(@Nullable Term of) implements Term {}

    record Maybe(@Nullable Term of) implements Term {}

    record Said(Term term) {}

    private static final String WRITTEN = """
            {"type": "object", "properties": {"term": {"anyOf": [
              {"properties": {"of": {"$ref": "#/properties/term"}}, "required": ["left"]},
              {"properties": {"of": {"$ref": "#/properties/term"}}, "required": ["right"]}]}}}""";

    @AutoClose
    private final Served served = Served.with(
            Tool.define("derived").input(Said.class).handler((question, context) -> "it fits"),
            Tool.define("slow").input(Said.class).longRunning().handler((question, context) -> "it fits"),
            Tool.define("written").inputSchema(WRITTEN).handler((arguments, context) -> "it fits"));

    @Test
    void a_sealed_interface_of_records_that_hold_each_other_is_checked_to_the_bottom() {
        for (String tool : new String[] {"derived", "slow"}) {
            assertThat(said(tool, "{\"type\":\"Maybe\"}")).as(tool).isEqualTo("it fits");
            assertThat(said(tool, "{\"type\":\"Neither\"}"))
                    .as(tool)
                    .contains("/of: property 'type' must be one of Not, Maybe")
                    .doesNotContain("one and only one");
        }
    }

    @Test
    void a_check_that_would_double_with_each_level_is_refused_in_a_sentence_for_the_model() {
        assertThat(said("written", "{}"))
                .endsWith("checking it takes too many steps: send something shorter or simpler")
                .hasSizeLessThan(200);
    }

    private String said(String tool, String innermost) {
        String term = "{\"type\":\"Not\",\"of\":".repeat(DEEP) + innermost + "}".repeat(DEEP);
        JsonNode reply = served.stateless("{}").ask("tools/call", Served.call(tool, "{\"term\":" + term + "}"));
        assertThat(reply.path("result").path("isError").asBoolean(false))
                .isNotEqualTo(text(reply.path("result")).equals("it fits"));
        return text(reply.path("result"));
    }
}
