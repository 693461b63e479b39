// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** "Servers MUST provide structured results that conform to this schema." */
@Timeout(30)
class OutputPromisesTest {

    private static final String REASON =
            " returned what its output schema does not allow: required property 'text' not found";

    private static final String NOTED = """
            {"type":"object","required":["rows"],"properties":{"rows":{"type":"integer"},"note":{"type":"string"},
             "kept":{"type":["string","null"]},"more":{"type":"array","items":{"type":"object","properties":
             {"note":{"type":"string"}}}}}}""";
    private static final String WITH_NULLS = "{\"rows\":3,\"note\":null,\"kept\":null,\"more\":[{\"note\":null}]}";

    @AutoClose
    private final Served served = Served.with(
            Tool.define("quick").outputSchema(Tools.Greeting.class).handler((none, task) -> Map.of("other", 1)),
            Tool.define("slow")
                    .outputSchema(Tools.Greeting.class)
                    .longRunning()
                    .handler((none, task) -> Map.of("other", 1)),
            Tool.define("external").outputSchema(Tools.Greeting.class).backend(run -> result("{\"other\":1}", false)),
            Tool.define("unstructured").outputSchema(Tools.Greeting.class).handler((none, task) -> "just text"),
            Tool.define("fails").outputSchema(Tools.Greeting.class).backend(run -> result("{\"other\":1}", true)),
            Tool.define("quickNull").outputSchema(NOTED).handler((none, task) -> Served.json(WITH_NULLS)),
            Tool.define("slowNull")
                    .outputSchema(NOTED)
                    .longRunning()
                    .handler((none, task) -> ToolResult.EMPTY.withStructuredContent(Served.json(WITH_NULLS))),
            Tool.define("externalNull").outputSchema(NOTED).backend(run -> result(WITH_NULLS, false)),
            Tool.define("keeps").outputSchema(Tools.Greeting.class).backend(run -> result("{\"text\":\"hi\"}", false)));

    private static Outcome result(String structured, boolean isError) {
        String body = "{\"content\":[],\"structuredContent\":" + structured + (isError ? ",\"isError\":true}" : "}");
        return new Outcome.Result(Payload.ofText(body), isError);
    }

    @Test
    void an_output_that_breaks_its_schema_fails_with_that_reason() {
        for (String version : new String[] {"2025-06-18", "2025-11-25"}) {
            for (String tool : new String[] {"quick", "slow", "external"}) {
                var error = served.handshake(version)
                        .ask("tools/call", Served.call(tool, "{}"))
                        .path("error");
                assertThat(error.path("code").asInt()).as(tool).isEqualTo(-32603);
                assertThat(error.path("message").asString()).isEqualTo("Tool '" + tool + "'" + REASON);
            }
        }
        assertThat(served.stateless("{}")
                        .ask("tools/call", Served.call("unstructured", "{}"))
                        .path("error")
                        .path("message")
                        .asString())
                .isEqualTo("Tool 'unstructured' returned what its output schema does not allow:"
                        + " it has no structured content");
    }

    @Test
    void so_does_its_task() throws Exception {
        for (String tool : new String[] {"slow", "external"}) {
            var client = served.stateless(Served.TASKS);
            String id = client.ask("tools/call", Served.call(tool, "{}"))
                    .path("result")
                    .path("taskId")
                    .asString();
            JsonNode failed = OneHandlerEveryGenerationTest.awaitStatus(client, id, "failed");
            assertThat(failed.path("error").path("code").asInt()).isEqualTo(-32603);
            assertThat(failed.path("error").path("message").asString()).isEqualTo("Tool '" + tool + "'" + REASON);
        }
    }

    @Test
    void a_null_for_a_field_that_may_be_absent_and_not_null_is_left_out() {
        for (String tool : new String[] {"quickNull", "slowNull", "externalNull"}) {
            var result = served.handshake("2025-06-18")
                    .ask("tools/call", Served.call(tool, "{}"))
                    .path("result");
            assertThat(result.path("structuredContent"))
                    .as(tool)
                    .isEqualTo(Served.json("{\"rows\":3,\"kept\":null,\"more\":[{}]}"));
        }
    }

    @Test
    void an_error_of_the_tool_is_held_to_no_schema_and_a_good_output_goes_out() {
        var client = served.handshake("2025-06-18");
        var failed = client.ask("tools/call", Served.call("fails", "{}")).path("result");
        assertThat(failed.path("isError").asBoolean()).isTrue();
        var kept = client.ask("tools/call", Served.call("keeps", "{}")).path("result");
        assertThat(kept.path("structuredContent").path("text").asString()).isEqualTo("hi");
    }
}
