// SPDX-License-Identifier: Apache-2.0
package io.longhaul.conformance;

import io.longhaul.server.McpServer;
import io.longhaul.server.Prompt;
import io.longhaul.server.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.List;

/**
 * Tools that change what the server offers while it serves. Lists belong to each node, and an application changes them
 * at all of its nodes: here by files in a folder that all nodes watch.
 */
final class Changes {

    private static final String NAME = "test_that_comes_and_goes";
    private static final String TOOL = "test_trigger_tool_change";
    private static final String PROMPT = "test_trigger_prompt_change";

    private Changes() {}

    /** @param folder that all nodes share */
    static List<Tool> in(Path folder) {
        return List.of(change(TOOL, folder), change(PROMPT, folder));
    }

    private static Tool change(String name, Path folder) {
        return ContentTools.named(name).handler((none, task) -> {
            Files.createTempFile(folder, name, "");
            return "Changed.";
        });
    }

    /** Starts to change a server as any node says from now on. */
    static void follow(Path folder, McpServer server) throws IOException {
        WatchService watch = folder.getFileSystem().newWatchService();
        folder.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
        Thread.ofPlatform().name("changes").daemon().start(() -> follow(watch, server));
    }

    private static void follow(WatchService watch, McpServer server) {
        try {
            while (true) {
                var key = watch.take();
                key.pollEvents().forEach(event -> change(server, String.valueOf(event.context())));
                key.reset();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void change(McpServer server, String file) {
        if (file.startsWith(TOOL) && !server.removeTool(NAME)) {
            server.addTool(ContentTools.named(NAME).handler((none, task) -> "Here."));
        }
        if (file.startsWith(PROMPT) && !server.removePrompt(NAME)) {
            server.addPrompt(Prompt.define(NAME).description("Comes and goes.").text("Here."));
        }
    }
}
