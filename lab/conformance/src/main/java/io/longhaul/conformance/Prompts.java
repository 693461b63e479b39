// SPDX-License-Identifier: Apache-2.0
package io.longhaul.conformance;

import io.longhaul.server.ArgumentCompleter;
import io.longhaul.server.Content;
import io.longhaul.server.ElicitRequest;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.Prompt;
import io.longhaul.server.PromptMessage;
import io.longhaul.server.ResourceContents;
import java.util.List;

/** Prompts with and without arguments, with every kind of content, and one that asks. */
final class Prompts {

    record Situation(String context) {}

    private Prompts() {}

    static void addTo(McpServerBuilder fixture) {
        fixture.prompt(Prompt.define("test_simple_prompt")
                        .description("Says the same each time.")
                        .text("This is a simple prompt for testing."))
                .prompt(Prompt.define("test_prompt_with_arguments")
                        .description("Says what it was given.")
                        .argument("arg1", "The first", ArgumentCompleter.of(List.of("testValue1", "testValue2")))
                        .argument("arg2", "The second")
                        .handler((given, call) -> List.of(PromptMessage.user("Prompt with arguments: arg1='"
                                + given.get("arg1") + "', arg2='" + given.get("arg2") + "'"))))
                .prompt(Prompt.define("test_prompt_with_embedded_resource")
                        .description("Brings a resource along.")
                        .argument("resourceUri", "Which one")
                        .handler((given, call) -> List.of(
                                PromptMessage.user(embedded(given.get("resourceUri"))),
                                PromptMessage.user("Please process the embedded resource above."))))
                .prompt(Prompt.define("test_prompt_with_image")
                        .description("Brings a picture along.")
                        .handler((none, call) -> List.of(
                                PromptMessage.user(Content.image(Samples.PNG, "image/png")),
                                PromptMessage.user("Please analyze the image above."))))
                .prompt(Prompt.define("test_input_required_result_prompt")
                        .description("Asks before it says anything.")
                        .handler((none, call) -> {
                            var answer = call.elicit(
                                    ElicitRequest.of("user_context", "What context should be used?", Situation.class));
                            String context = answer.accepted()
                                    ? answer.content().path("context").asString()
                                    : "nothing special";
                            return List.of(PromptMessage.user("Use this context: " + context));
                        }));
    }

    private static Content embedded(String uri) {
        return Content.embeddedResource(
                ResourceContents.text(uri, "text/plain", "Embedded resource content for testing."));
    }
}
