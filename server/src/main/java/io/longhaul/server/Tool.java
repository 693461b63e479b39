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

/** A tool ready to be served. Made by {@link #define}. Immutable. */
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
     * A long-running tool of which some calls are answered at once.
     *
     * @param isLong    whether a call with such arguments is a task; they have their defaults
     * @param otherwise answers the others
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

    /** Starts the definition of a tool that takes no arguments until it is told which. */
    public static ToolDefinition<JsonNode, ToolContext, Object> define(String name) {
        return new ToolDefinition<>(name, JsonNode.class);
    }

    /**
     * The tools that the methods of {@code declaring} are which are marked with
     * {@link io.longhaul.server.annotation.McpTool}, by name. Inherited methods count.
     *
     * @throws IllegalArgumentException where one cannot be a tool or there is none: all that is wrong, with the methods
     */
    public static List<Tool> allOf(Object declaring) {
        return AnnotatedTools.of(declaring);
    }

    /** The name that it is called by. */
    public String name() {
        return name;
    }

    /** Where it was declared, for people. */
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
     * What its handler takes: the arguments with their defaults.
     *
     * @throws ToolException where they cannot be bound, as the model is told
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
