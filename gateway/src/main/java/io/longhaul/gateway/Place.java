// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.Prompt;
import io.longhaul.server.Resource;
import io.longhaul.server.ResourceTemplate;
import io.longhaul.server.Tool;
import java.util.function.Consumer;

/** The place where features are served: a server builder at first, and the running server later. */
record Place(Kind<Tool> tools, Kind<Resource> resources, Kind<ResourceTemplate> templates, Kind<Prompt> prompts) {

    /** Adds features of one kind, and removes them by their names. */
    record Kind<T>(Consumer<T> add, Consumer<String> remove) {}

    static Place of(McpServerBuilder builder) {
        Consumer<String> never = name -> {
            throw new IllegalStateException("nothing is removed from a server in the making");
        };
        return new Place(
                new Kind<>(builder::tool, never),
                new Kind<>(builder::resource, never),
                new Kind<>(builder::resourceTemplate, never),
                new Kind<>(builder::prompt, never));
    }

    static Place of(McpServer server) {
        return new Place(
                new Kind<>(server::addTool, server::removeTool),
                new Kind<>(server::addResource, server::removeResource),
                new Kind<>(server::addResourceTemplate, server::removeResourceTemplate),
                new Kind<>(server::addPrompt, server::removePrompt));
    }
}
