// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.run.Backend;
import io.longhaul.server.internal.schema.Defaults;
import io.longhaul.server.internal.schema.Values;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A tool that a server can offer. {@link #define} starts its definition. Immutable. */
public final class Tool {

    final String name;
    final Map<String, Object> definition;
    final List<Icon> icons;
    final Set<String> scopes;
    final String inputSchema;
    final boolean isListed;
    final @Nullable String outputSchema;
    final Class<?> inputType;
    private final @Nullable Defaults defaults;
    private final @Nullable String origin;
    final @Nullable ToolHandler<?, ?, ?> handler;
    final @Nullable Backend backend;
    final @Nullable LongRunning longRunning;
    final @Nullable Function<Object, @Nullable List<Content>> immediate;
    final @Nullable Sometimes sometimes;

    /**
     * The option of a long-running tool to answer some calls at once.
     *
     * @param isLong    whether a call with such arguments is a task; the arguments have their defaults
     * @param otherwise answers the other calls
     */
    record Sometimes(Predicate<JsonNode> isLong, ToolHandler<Object, ToolContext, ?> otherwise) {}

    private Tool(
            ToolDefinition<?, ?, ?> from,
            Class<?> inputType,
            @Nullable ToolHandler<?, ?, ?> handler,
            @Nullable Backend backend,
            @Nullable LongRunning longRunning) {
        this.name = from.name;
        this.definition = Collections.unmodifiableMap(new LinkedHashMap<>(from.words));
        this.icons = from.icons;
        this.scopes = from.scopes;
        this.inputSchema = from.inputSchema;
        this.isListed = from.isListed;
        this.outputSchema = from.outputSchema;
        this.inputType = inputType;
        this.defaults = from.defaults;
        this.origin = from.origin;
        this.handler = handler;
        this.backend = backend;
        this.longRunning = longRunning;
        this.immediate = from.immediate;
        this.sometimes = from.sometimes;
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
        return AnnotatedTools.of(declaring);
    }

    /** The name by which callers call the tool. */
    public String name() {
        return name;
    }

    /** The place of the declaration, for people. */
    String origin() {
        return origin == null ? "one made by Tool.define" : origin;
    }

    static Tool of(ToolDefinition<?, ?, ?> from, ToolHandler<?, ?, ?> handler) {
        if (from.sometimes != null && from.longRunning == null) {
            throw new IllegalArgumentException(
                    "tool '" + from.name + "' has longWhen, which is for long-running tools: add longRunning()");
        }
        return new Tool(from, from.inputType, handler, null, from.longRunning);
    }

    static Tool passing(ToolDefinition<?, ?, ?> from, Passing<JsonNode> way) {
        if (from.longRunning != null) {
            throw new IllegalArgumentException(
                    "tool '" + from.name + "' is long-running and passes calls on: finish it with a backend");
        }
        return of(from, (JsonNode arguments, ToolContext call) -> Passed.of(way, call.arguments(), call));
    }

    static Tool of(ToolDefinition<?, ?, ?> from, Backend backend) {
        var options = from.longRunning == null ? new LongRunning() : from.longRunning;
        if (!options.elicitFirst.isEmpty()) {
            throw new IllegalArgumentException(
                    "tool '" + from.name + "' asks first, which only a handler can use: leave elicitFirst out");
        }
        return new Tool(from, from.inputType, null, backend, options);
    }

    /**
     * The arguments for the handler, with their defaults.
     *
     * @throws ToolException where the arguments cannot be bound, with the message for the model
     */
    Object bound(JsonNode arguments) {
        return Values.arguments(filled(arguments), inputType);
    }

    /** The arguments with their defaults. */
    JsonNode filled(JsonNode arguments) {
        return defaults == null ? arguments : defaults.fill(arguments);
    }

    /** Questions to be answered before the work begins. */
    List<ElicitRequest> first() {
        return longRunning == null ? List.of() : List.copyOf(longRunning.elicitFirst);
    }
}
