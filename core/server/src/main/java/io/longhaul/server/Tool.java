// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.server.internal.method.AnnotatedTools;
import io.longhaul.server.internal.tool.ToolSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A tool that a server can offer. {@link #define} starts its definition. Immutable. */
public final class Tool {

    final ToolSpec spec;
    private final @Nullable String origin;

    /** @param origin the place of the declaration, for people; null for a definition in code */
    Tool(ToolSpec spec, @Nullable String origin) {
        this.spec = spec;
        this.origin = origin;
    }

    /** Starts the definition of a tool, at first without arguments. */
    public static ToolDefinition<JsonNode, ToolContext, Object> define(String name) {
        return new ToolDefinition<>(name, JsonNode.class);
    }

    /**
     * The methods of {@code declaring} that are marked with {@link io.longhaul.server.annotation.McpTool}, as tools in
     * the order of their names. Inherited methods count.
     *
     * @throws IllegalArgumentException where no method is marked, or a marked method cannot be a tool: all problems,
     *                                  with the methods
     */
    public static List<Tool> allOf(Object declaring) {
        return AnnotatedTools.of(declaring, ToolDefinition::marked);
    }

    /** The name by which callers call the tool. */
    public String name() {
        return spec.name();
    }

    /** The place of the declaration, for people. */
    String origin() {
        return origin == null ? "one made by Tool.define" : origin;
    }
}
