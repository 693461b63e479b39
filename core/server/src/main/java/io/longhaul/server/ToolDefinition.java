// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.run.Backend;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.server.annotation.McpIcon;
import io.longhaul.server.annotation.McpTool;
import io.longhaul.server.internal.call.Forwarded;
import io.longhaul.server.internal.codec.ContentCodec;
import io.longhaul.server.internal.codec.ResultCodec;
import io.longhaul.server.internal.feature.Scopes;
import io.longhaul.server.internal.schema.Defaults;
import io.longhaul.server.internal.schema.Schemas;
import io.longhaul.server.internal.schema.Values;
import io.longhaul.server.internal.tool.TaskOptions;
import io.longhaul.server.internal.tool.ToolInput;
import io.longhaul.server.internal.tool.ToolSpec;
import io.longhaul.server.internal.tool.ToolSpec.Worker;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A builder of a tool. {@link #handler}, {@link #forward} and {@link #backend} finish the definition; other methods
 * return this. Not thread-safe.
 *
 * @param <I> the type that the arguments are bound to
 * @param <C> the context of a call
 * @param <O> the type of the handler's result
 */
public final class ToolDefinition<I, C extends ToolContext, O> {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,128}");

    /** Members of a tool that are set elsewhere, or by the dialects. */
    private static final Set<String> NOT_LISTED = Set.of("name", "inputSchema", "execution", "invocationMode");

    private final String name;
    private final Map<String, Object> words = new LinkedHashMap<>();
    private List<Icon> icons = List.of();
    private Set<String> scopes = Set.of();
    private final Map<String, Object> annotations = new LinkedHashMap<>();
    private Class<?> inputType;
    private String inputSchema = Schemas.NO_ARGUMENTS;

    private @Nullable Defaults defaults;
    private @Nullable String origin;
    private @Nullable String outputSchema;
    private @Nullable LongRunning longRunning;
    private @Nullable Function<Object, @Nullable List<Content>> immediate;
    private ToolSpec.@Nullable Sometimes sometimes;

    private boolean isListed;

    ToolDefinition(String name, Class<I> inputType) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("the tool name '" + name
                    + "' must be 1 to 128 letters, digits, underscores, hyphens or dots (A-Z, a-z, 0-9, _ - .)");
        }
        this.name = name;
        this.inputType = inputType;
    }

    /** The definition of a method that is marked as a tool, which is declared at {@code place}. */
    static ToolDefinition<JsonNode, ToolContext, Object> marked(McpTool marked, String name, String place) {
        var definition = Tool.define(name);
        definition.origin = place;
        if (!marked.title().isBlank()) {
            definition.title(marked.title());
        }
        if (!marked.description().isBlank()) {
            definition.description(marked.description());
        }
        var hints = marked.annotations();
        if (!hints.title().isBlank()) {
            definition.hint("title", hints.title());
        }
        if (hints.readOnlyHint()) {
            definition.readOnly();
        }
        if (!hints.destructiveHint()) {
            definition.destructive(false);
        }
        if (hints.idempotentHint()) {
            definition.idempotent();
        }
        if (!hints.openWorldHint()) {
            definition.openWorld(false);
        }
        definition.scopes(marked.scopes());
        definition.icons(Arrays.stream(marked.icons()).map(ToolDefinition::icon).toArray(Icon[]::new));
        return definition;
    }

    private static Icon icon(McpIcon icon) {
        return new Icon(
                icon.src(),
                icon.mimeType().isEmpty() ? null : icon.mimeType(),
                List.of(icon.sizes()),
                icon.theme() == McpIcon.Theme.ANY
                        ? null
                        : Icon.Theme.valueOf(icon.theme().name()));
    }

    /** Sets the display name of the tool. */
    public ToolDefinition<I, C, O> title(String title) {
        words.put("title", title);
        return this;
    }

    /** Sets a description of the tool, for a model. */
    public ToolDefinition<I, C, O> description(String description) {
        words.put("description", description);
        return this;
    }

    /** Sets the icons of the tool. */
    public ToolDefinition<I, C, O> icons(Icon... pictures) {
        icons = List.of(pictures);
        return this;
    }

    /**
     * Sets a member of {@code _meta} in the definition of the tool, such as {@code ui} of MCP Apps. Clients older than
     * 2025-06-18 do not get {@code _meta}.
     *
     * @param value a value that is written as JSON
     */
    public ToolDefinition<I, C, O> meta(String key, Object value) {
        ((ObjectNode) words.computeIfAbsent(Meta.META, none -> JsonTree.object())).set(key, Values.toTree(value));
        return this;
    }

    /**
     * Refuses calls whose authorization lacks one of these scopes, before anything is created: over HTTP with 403 and
     * the scopes to ask the authorization server for. The local user, on stdio or on a loopback address without
     * authorization, needs no scope; an anonymous caller has no scopes. The tool stays listed for all callers.
     *
     * @throws IllegalArgumentException where a text cannot be a scope
     */
    public ToolDefinition<I, C, O> scopes(String... needed) {
        scopes = Scopes.checked("tool '" + name + "'", needed);
        return this;
    }

    /** Takes the components of {@code type}, a record, as arguments, and derives their JSON Schema. */
    public <T> ToolDefinition<T, C, O> input(Class<T> type) {
        inputSchema = Schemas.input(name, type);
        defaults = new Defaults(inputSchema);
        return as(type);
    }

    /**
     * Takes the arguments that {@code schema}, JSON Schema 2020-12 as text, allows. The handler gets them with the
     * defaults of {@code properties} filled in; {@link ToolContext#arguments} gives them as sent.
     */
    public ToolDefinition<JsonNode, C, O> inputSchema(String schema) {
        inputSchema = Schemas.checked(name, "input", schema);
        defaults = new Defaults(inputSchema);
        return as(JsonNode.class);
    }

    /**
     * Takes over the definition of a tool that another server lists, except its name and its support of tasks. This
     * server does not check arguments and results against the schemas: the other server does.
     *
     * @param definition the tool as the other server lists it, an object
     */
    public ToolDefinition<JsonNode, C, O> listed(Json definition) {
        var members = JsonReader.members(definition);
        members.asMap().forEach((word, value) -> {
            if (!NOT_LISTED.contains(word)) {
                words.put(word, Values.tree(value));
            }
        });
        forget("annotations", "preferAsync");
        forget(Meta.META, Meta.TASK_SUPPORT);
        var schema = members.get("inputSchema");
        inputSchema = schema == null ? "{\"type\":\"object\"}" : schema.toString();
        isListed = true;
        return as(JsonNode.class);
    }

    private void forget(String word, String member) {
        if (words.get(word) instanceof ObjectNode members) {
            members.remove(member);
            if (members.isEmpty()) {
                words.remove(word);
            }
        }
    }

    /** Sets the type of the structured content, a record that the handler returns, and derives its JSON Schema. */
    public <T> ToolDefinition<I, C, T> output(Class<T> type) {
        outputSchema = Schemas.output(name, type);
        return giving();
    }

    /**
     * Sets the type of the structured content, and derives its JSON Schema. The handler may return it in any form, such
     * as a {@link ToolResult}.
     */
    public ToolDefinition<I, C, Object> outputSchema(Class<?> type) {
        outputSchema = Schemas.output(name, type);
        return giving();
    }

    /**
     * Sets the schema of the structured content, JSON Schema 2020-12 as text. A schema that allows other values than
     * objects is listed only for clients of 2026-07-28.
     */
    public ToolDefinition<I, C, Object> outputSchema(String schema) {
        outputSchema = Schemas.checked(name, "output", schema);
        return giving();
    }

    /** Adds the hint that the tool changes nothing. */
    public ToolDefinition<I, C, O> readOnly() {
        return hint("readOnlyHint", true);
    }

    /** Adds the hint whether the tool may destroy something. */
    public ToolDefinition<I, C, O> destructive(boolean is) {
        return hint("destructiveHint", is);
    }

    /** Adds the hint that a repeated call with the same arguments changes nothing more. */
    public ToolDefinition<I, C, O> idempotent() {
        return hint("idempotentHint", true);
    }

    /** Adds the hint whether the tool reaches beyond a closed world. */
    public ToolDefinition<I, C, O> openWorld(boolean is) {
        return hint("openWorldHint", is);
    }

    /** Makes each call of the tool a durable task. */
    public ToolDefinition<I, TaskContext, O> longRunning() {
        return longRunning(options -> {});
    }

    /** Makes each call of the tool a durable task, with {@code options}. */
    @SuppressWarnings("unchecked")
    public ToolDefinition<I, TaskContext, O> longRunning(Consumer<LongRunning> options) {
        longRunning = new LongRunning();
        options.accept(longRunning);
        return (ToolDefinition<I, TaskContext, O>) this;
    }

    /**
     * Sets a function that computes an immediate response for the model while a call of a long-running tool goes on.
     * Set the input first. The function must be quick: the response to the caller waits for it. Null, or an exception,
     * which is logged, means no immediate response. Clients of 2025-11-25 get only the texts; generations without
     * immediate responses get nothing.
     */
    @SuppressWarnings("unchecked")
    public ToolDefinition<I, C, O> immediateResult(Function<? super I, @Nullable List<Content>> of) {
        immediate = (Function<Object, @Nullable List<Content>>) of;
        return this;
    }

    /**
     * Makes only the long calls of a long-running tool tasks, and answers the other calls at once. Set the input before
     * this option. A caller that asks for a task gets a task for each call.
     *
     * @param isLong    whether a call with such arguments is long; the arguments have their defaults
     * @param otherwise answers a call that is not long
     */
    @SuppressWarnings("unchecked")
    public ToolDefinition<I, C, O> longWhen(
            Predicate<JsonNode> isLong, ToolHandler<? super I, ToolContext, ? extends O> otherwise) {
        sometimes = new ToolSpec.Sometimes(isLong, (ToolHandler<Object, ToolContext, ?>) otherwise);
        return this;
    }

    /** Finishes the definition with the handler of the tool. */
    @SuppressWarnings("unchecked")
    public Tool handler(ToolHandler<? super I, ? super C, ? extends O> handler) {
        return longRunning == null
                ? quick((ToolHandler<Object, ToolContext, ?>) handler)
                : lasting(new Worker.Code((ToolHandler<Object, TaskContext, ?>) handler), longRunning.options());
    }

    /**
     * Finishes the definition of a tool that is not long-running, and forwards each call with the arguments as they
     * came.
     */
    public Tool forward(ForwardHandler<JsonNode> way) {
        if (longRunning != null) {
            throw new IllegalArgumentException(
                    "tool '" + name + "' is long-running and forwards calls: finish it with a backend");
        }
        return quick((arguments, call) -> Forwarded.of(way, call.arguments(), call));
    }

    /**
     * Finishes the definition with external work: the tool is long-running, and {@code backend} gets the arguments as
     * JSON.
     */
    public Tool backend(Backend backend) {
        return callingBackend(calls -> backend);
    }

    /** As {@link #backend(Backend)}, for work that calls tools of the server. */
    public Tool callingBackend(Function<ToolCalls, Backend> backend) {
        var options = (longRunning == null ? new LongRunning() : longRunning).options();
        if (!options.questions().first().isEmpty()) {
            throw new IllegalArgumentException(
                    "tool '" + name + "' asks first, which only a handler can use: leave elicitFirst out");
        }
        return lasting(new Worker.External(backend), options);
    }

    private Tool quick(ToolHandler<Object, ToolContext, ?> handler) {
        if (sometimes != null) {
            throw new IllegalArgumentException(
                    "tool '" + name + "' has longWhen, which is for long-running tools: add longRunning()");
        }
        return tool(new ToolSpec.Quick(handler));
    }

    private Tool lasting(Worker worker, TaskOptions options) {
        return tool(new ToolSpec.Lasting(worker, options, immediate, sometimes));
    }

    private Tool tool(ToolSpec.Calls calls) {
        var input = new ToolInput(inputSchema, inputType, defaults, isListed);
        var results = new ResultCodec(name, outputSchema);
        return new Tool(new ToolSpec(name, definition(), scopes, input, results, calls), origin);
    }

    private Json definition() {
        var out = new JsonWriter().beginObject().name("name").string(name);
        words.forEach((word, value) -> out.name(word).raw(Values.json(value)));
        out.name("inputSchema").raw(Json.raw(inputSchema));
        out.optional("outputSchema", outputSchema == null ? null : Json.raw(outputSchema));
        ContentCodec.icons(icons, out);
        return out.endObject().toJson();
    }

    private ToolDefinition<I, C, O> hint(String hint, Object value) {
        annotations.put(hint, value);
        words.put("annotations", new LinkedHashMap<>(annotations));
        return this;
    }

    @SuppressWarnings("unchecked")
    private <T> ToolDefinition<I, C, T> giving() {
        return (ToolDefinition<I, C, T>) this;
    }

    @SuppressWarnings("unchecked")
    private <T> ToolDefinition<T, C, O> as(Class<T> type) {
        if (immediate != null || sometimes != null) {
            var later = immediate != null ? "immediateResult" : "longWhen";
            throw new IllegalArgumentException("tool '" + name + "': say its input before its " + later);
        }
        inputType = type;
        return (ToolDefinition<T, C, O>) this;
    }
}
