// SPDX-License-Identifier: Apache-2.0
package io.longhaul.conformance;

import io.longhaul.server.Content;
import io.longhaul.server.ResourceContents;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolContext;
import io.longhaul.server.ToolDefinition;
import io.longhaul.server.ToolException;
import io.longhaul.server.ToolResult;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Tools that give every kind of content, and what can come before it. */
final class ContentTools {

    private static final int A_MOMENT = 50;

    /** A schema with keywords that must reach a client as they are. */
    private static final String SCHEMA = """
            {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
             "$defs":{"address":{"$anchor":"addressDef","type":"object",
              "properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
             "properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},
              "contactMethod":{"type":"string","enum":["phone","email"]},
              "phone":{"type":"string"},"email":{"type":"string"}},
             "allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
             "if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},
             "then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false}""";

    private static final String REGION = """
            {"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}},
             "required":["region"]}""";

    private ContentTools() {}

    static List<Tool> all() {
        return List.of(
                named("test_simple_text").handler((none, task) -> "This is a simple text response for testing."),
                named("test_image_content")
                        .handler((none, task) -> ToolResult.of(Content.image(Samples.PNG, "image/png"))),
                named("test_audio_content")
                        .handler((none, task) -> ToolResult.of(Content.audio(Samples.WAV, "audio/wav"))),
                named("test_embedded_resource").handler((none, task) -> ToolResult.of(embedded())),
                named("test_multiple_content_types").handler((none, task) -> several()),
                named("test_error_handling").handler((none, task) -> {
                    throw new ToolException("This tool intentionally returns an error for testing");
                }),
                named("test_tool_with_progress").handler((none, task) -> progress(task)),
                named("test_tool_with_logging").handler((none, task) -> logging(task)),
                named("test_logging_tool").handler((none, task) -> logging(task)),
                named("json_schema_2020_12_tool").inputSchema(SCHEMA).handler((given, task) -> "Taken: " + given),
                named("test_custom_header")
                        .inputSchema(REGION)
                        .handler((given, task) ->
                                "Region: " + given.path("region").asString()));
    }

    static ToolDefinition<JsonNode, ToolContext, Object> named(String name) {
        return Tool.define(name).description("Fixture of the conformance suite: " + name.replace('_', ' ') + ".");
    }

    private static Content embedded() {
        return Content.embeddedResource(ResourceContents.text(
                "test://embedded-resource", "text/plain", "This is an embedded resource content."));
    }

    private static ToolResult several() {
        return ToolResult.text("Multiple content types test:")
                .andImage(Samples.PNG, "image/png")
                .andEmbeddedResource(
                        "test://mixed-content-resource", "application/json", "{\"test\":\"data\",\"value\":123}");
    }

    private static String progress(ToolContext task) throws InterruptedException {
        for (int done = 0; done <= 100; done += 50) {
            task.progress(done, 100, "Completed step " + done + " of 100");
            Thread.sleep(A_MOMENT);
        }
        return "All of it is done.";
    }

    private static String logging(ToolContext task) throws InterruptedException {
        for (String line : List.of("Tool execution started", "Tool processing data", "Tool execution completed")) {
            task.log("info", line);
            Thread.sleep(A_MOMENT);
        }
        return "Three lines are logged.";
    }
}
