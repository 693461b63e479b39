// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.feature;

import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.Prompt;
import io.longhaul.server.Resource;
import io.longhaul.server.ResourceTemplate;
import io.longhaul.server.Tool;
import java.util.function.Consumer;

/** The place where features are served: a server builder at first, and the running server later. */
public record FeatureOutlet(
        Kind<Tool> tools, Kind<Resource> resources, Kind<ResourceTemplate> templates, Kind<Prompt> prompts) {

    /** Adds features of one kind, replaces them by others of their names, and removes them by their names. */
    record Kind<T>(Consumer<T> add, Consumer<T> replace, Consumer<String> remove) {}

    public static FeatureOutlet of(McpServerBuilder builder) {
        return new FeatureOutlet(
                making(builder::tool),
                making(builder::resource),
                making(builder::resourceTemplate),
                making(builder::prompt));
    }

    private static <T> Kind<T> making(Consumer<T> add) {
        return new Kind<>(add, FeatureOutlet::never, FeatureOutlet::never);
    }

    private static void never(Object feature) {
        throw new IllegalStateException("nothing changes at a server in the making: " + feature);
    }

    public static FeatureOutlet of(McpServer server) {
        return new FeatureOutlet(
                new Kind<>(server::addTool, server::replaceTool, server::removeTool),
                new Kind<>(server::addResource, server::replaceResource, server::removeResource),
                new Kind<>(
                        server::addResourceTemplate, server::replaceResourceTemplate, server::removeResourceTemplate),
                new Kind<>(server::addPrompt, server::replacePrompt, server::removePrompt));
    }
}
