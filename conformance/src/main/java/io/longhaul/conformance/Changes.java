// SPDX-License-Identifier: Apache-2.0
package io.longhaul.conformance;

import io.longhaul.server.McpServer;
import io.longhaul.server.Prompt;
import io.longhaul.server.Tool;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Tools that change what the server offers while it serves. */
final class Changes {

    private Changes() {}

    /** @param server the server once it serves */
    static List<Tool> all(CompletableFuture<McpServer> server) {
        return List.of(
                change("test_trigger_tool_change", server, running -> {
                    if (!running.removeTool("test_that_comes_and_goes")) {
                        running.addTool(
                                ContentTools.named("test_that_comes_and_goes").handler((none, task) -> "Here."));
                    }
                }),
                change("test_trigger_prompt_change", server, running -> {
                    if (!running.removePrompt("test_that_comes_and_goes")) {
                        running.addPrompt(Prompt.define("test_that_comes_and_goes")
                                .description("Comes and goes.")
                                .text("Here."));
                    }
                }));
    }

    private static Tool change(String name, CompletableFuture<McpServer> server, Consumer<McpServer> change) {
        return ContentTools.named(name).handler((none, task) -> {
            change.accept(server.get());
            return "Changed.";
        });
    }
}
