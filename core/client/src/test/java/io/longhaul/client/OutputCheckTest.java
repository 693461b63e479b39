// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Results of tools that say what they give. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class OutputCheckTest {

    private static final String GREETS = "{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}}}";

    private final TestTime time = new TestTime();

    private List<String> warnings(String schema, String result) throws Exception {
        var script = new Transcript(Scripts.STATELESS + """
                -> tools/list
                <- {"tools":[{"name":"greet","inputSchema":{"type":"object"},"outputSchema":%s}]}
                -> tools/call
                <- %s
                """.formatted(schema, result));
        try (var client = Scripts.over(script, time).connect()) {
            var call = client.call("greet", NO_ARGUMENTS);
            assertThat(call.await())
                    .isIn(new CallOutcome.ToolResult(Json.raw(result)), new CallOutcome.ToolError(Json.raw(result)));
            return call.warnings();
        }
    }

    private static void assertWarned(List<String> warnings, String... parts) {
        assertThat(warnings).singleElement().asString().contains(parts);
    }

    @Test
    void a_result_that_fits_is_not_spoken_of() throws Exception {
        assertThat(warnings(GREETS, "{\"content\":[],\"structuredContent\":{\"text\":\"hi\"}}"))
                .isEmpty();
    }

    @Test
    void a_result_that_does_not_fit_is_told_of_and_kept() throws Exception {
        assertWarned(
                warnings(GREETS, "{\"content\":[],\"structuredContent\":{\"text\":7}}"),
                "does not fit",
                "/text: integer found, string expected");
    }

    @Test
    void a_result_without_what_the_schema_is_for_is_told_of() throws Exception {
        assertWarned(warnings(GREETS, "{\"content\":[]}"), "gave no structured content");
    }

    @Test
    void an_error_of_the_tool_need_not_fit() throws Exception {
        assertThat(warnings(GREETS, "{\"content\":[],\"isError\":true}")).isEmpty();
    }

    @Test
    void a_schema_that_leads_out_of_itself_is_told_of() throws Exception {
        assertWarned(
                warnings("{\"$ref\":\"http://x.test/s\"}", "{\"content\":[],\"structuredContent\":{}}"),
                "cannot be used",
                "leads out of the schema");
    }

    @Test
    void a_schema_that_turns_in_a_circle_costs_no_result() throws Exception {
        assertWarned(
                warnings("{\"$ref\":\"#\"}", "{\"content\":[],\"structuredContent\":{}}"),
                "was not checked",
                "takes too many steps");
    }

    @Test
    void a_schema_made_to_be_checked_for_ever_costs_no_result() throws Exception {
        String choice = "{\"properties\":{\"of\":{\"$ref\":\"#\"}},\"required\":[\"missing\"]}";
        String result = "{\"of\":".repeat(60) + "{}" + "}".repeat(60);
        assertWarned(
                warnings(
                        "{\"anyOf\":[" + choice + "," + choice + "]}",
                        "{\"content\":[],\"structuredContent\":" + result + "}"),
                "was not checked",
                "takes too many steps");
    }
}
