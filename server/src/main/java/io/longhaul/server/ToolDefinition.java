// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.run.Backend;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.server.internal.schema.Defaults;
import io.longhaul.server.internal.schema.Schemas;
import io.longhaul.server.internal.schema.Values;
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
 * A tool in the making. Every method but the last two gives the definition back. Not thread-safe.
 *
 * @param <I> what the arguments are bound to
 * @param <C> the call as the handler sees it
 * @param <O> what the handler gives
 */
public final class ToolDefinition<I, C extends ToolContext, O> {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,128}");

    /** What is said of a tool in another place, or by the dialects. */
    private static final Set<String> NOT_LISTED = Set.of("name", "inputSchema", "execution", "invocationMode");

    final String name;
    final Map<String, Object> words = new LinkedHashMap<>();
    List<Icon> icons = List.of();
    Set<String> scopes = Set.of();
    private final Map<String, Object> annotations = new LinkedHashMap<>();
    Class<?> inputType;
    String inputSchema = Schemas.NO_ARGUMENTS;

    @Nullable
    Defaults defaults;

    @Nullable
    String origin;

    @Nullable
    String outputSchema;

    @Nullable
    LongRunning longRunning;

    @Nullable
    Function<Object, @Nullable List<Content>> immediate;

    Tool.@Nullable Sometimes sometimes;

    boolean isListed;

    ToolDefinition(String name, Class<I> inputType) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("the tool name '" + name
                    + "' must be 1 to 128 letters, digits, underscores, hyphens or dots (A-Z, a-z, 0-9, _ - .)");
        }
        this.name = name;
        this.inputType = inputType;
    }

    /** Its name for people. */
    public ToolDefinition<I, C, O> title(String title) {
        words.put("title", title);
        return this;
    }

    /** What it does, for a model. */
    public ToolDefinition<I, C, O> description(String description) {
        words.put("description", description);
        return this;
    }

    /** What stands for it, in clients that show pictures. */
    public ToolDefinition<I, C, O> icons(Icon... pictures) {
        icons = List.of(pictures);
        return this;
    }

    /**
     * Refuses calls whose authorization lacks one of these scopes, before anything is created: over HTTP with 403 and
     * what to ask the authorization server for. The local user, on stdio or on a loopback address without
     * authorization, needs no scope; an anonymous caller has none. The tool stays listed for all callers.
     *
     * @throws IllegalArgumentException where one cannot be a scope
     */
    public ToolDefinition<I, C, O> scopes(String... needed) {
        scopes = Scopes.checked("tool '" + name + "'", needed);
        return this;
    }

    /** Takes the components of {@code type}, a record, for arguments: their JSON Schema is derived. */
    public <T> ToolDefinition<T, C, O> input(Class<T> type) {
        inputSchema = Schemas.input(name, type);
        defaults = new Defaults(inputSchema);
        return as(type);
    }

    /**
     * Takes arguments that {@code schema}, JSON Schema 2020-12 as text, allows. The handler gets them with the defaults
     * of {@code properties} filled in; {@link ToolContext#arguments} has them as they came.
     */
    public ToolDefinition<JsonNode, C, O> inputSchema(String schema) {
        inputSchema = Schemas.checked(name, "input", schema);
        defaults = new Defaults(inputSchema);
        return as(JsonNode.class);
    }

    /**
     * Takes over all that another server lists of a tool, but for its name and how it becomes a task there. Arguments
     * and results are not held to its schemas here: that server does so.
     *
     * @param definition the tool as it was listed, an object
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

    /** Gives back a {@code type}, a record, which is its structured content: its JSON Schema is derived. */
    public <T> ToolDefinition<I, C, T> output(Class<T> type) {
        outputSchema = Schemas.output(name, type);
        return giving();
    }

    /**
     * Says that its structured content is a {@code type}, whose JSON Schema is derived; the handler is free in how it
     * says so, as by a {@link ToolResult}.
     */
    public ToolDefinition<I, C, Object> outputSchema(Class<?> type) {
        outputSchema = Schemas.output(name, type);
        return giving();
    }

    /**
     * Says that {@code schema}, JSON Schema 2020-12 as text, allows its structured content. Where it allows something
     * else than objects, only clients of 2026-07-28 get to know.
     */
    public ToolDefinition<I, C, Object> outputSchema(String schema) {
        outputSchema = Schemas.checked(name, "output", schema);
        return giving();
    }

    /** A hint: it changes nothing. */
    public ToolDefinition<I, C, O> readOnly() {
        return hint("readOnlyHint", true);
    }

    /** A hint: whether what it does may destroy something. */
    public ToolDefinition<I, C, O> destructive(boolean is) {
        return hint("destructiveHint", is);
    }

    /** A hint: calling it again with the same arguments changes nothing more. */
    public ToolDefinition<I, C, O> idempotent() {
        return hint("idempotentHint", true);
    }

    /** A hint: whether it reaches beyond a closed world. */
    public ToolDefinition<I, C, O> openWorld(boolean is) {
        return hint("openWorldHint", is);
    }

    /** Makes each call of it a durable task. */
    public ToolDefinition<I, TaskContext, O> longRunning() {
        return longRunning(options -> {});
    }

    /** Makes each call of it a durable task, kept and run as {@code options} says. */
    @SuppressWarnings("unchecked")
    public ToolDefinition<I, TaskContext, O> longRunning(Consumer<LongRunning> options) {
        longRunning = new LongRunning();
        options.accept(longRunning);
        return (ToolDefinition<I, TaskContext, O>) this;
    }

    /**
     * Computes what a model may be told at once while a call of a long-running tool goes on; said after what the
     * arguments are. It must be quick: the answer waits for it. It may give null for nothing; what it throws goes to
     * the log, and the call goes on without words. Clients of 2025-11-25 get its texts alone, and those of a generation
     * that has no place for it nothing.
     */
    @SuppressWarnings("unchecked")
    public ToolDefinition<I, C, O> immediateResult(Function<? super I, @Nullable List<Content>> of) {
        immediate = (Function<Object, @Nullable List<Content>>) of;
        return this;
    }

    /**
     * Makes tasks of those calls of a long-running tool alone that are long, and answers the others at once; said after
     * what the arguments are. A caller that asks for a task by itself gets one for each call.
     *
     * @param isLong    whether a call with such arguments is long; they have their defaults
     * @param otherwise answers a call that is not
     */
    @SuppressWarnings("unchecked")
    public ToolDefinition<I, C, O> longWhen(
            Predicate<JsonNode> isLong, ToolHandler<? super I, ToolContext, ? extends O> otherwise) {
        sometimes = new Tool.Sometimes(isLong, (ToolHandler<Object, ToolContext, ?>) otherwise);
        return this;
    }

    /** Finishes the definition with what the tool does. */
    public Tool handler(ToolHandler<? super I, ? super C, ? extends O> handler) {
        return Tool.of(this, handler);
    }

    /** Finishes the definition of a tool that is not long-running: each call is passed on, with what came. */
    public Tool passing(Passing<JsonNode> way) {
        return Tool.passing(this, way);
    }

    /**
     * Finishes the definition with external work: the tool is long-running, and {@code backend} gets the arguments as
     * JSON.
     */
    public Tool backend(Backend backend) {
        return Tool.of(this, backend);
    }

    /** Where it was declared, for people. */
    ToolDefinition<I, C, O> origin(String place) {
        origin = place;
        return this;
    }

    /** Takes arguments that a schema which comes from Java types allows. */
    ToolDefinition<I, C, O> derivedInput(String schema) {
        inputSchema = Schemas.checked(name, "input", schema);
        defaults = new Defaults(schema);
        return this;
    }

    ToolDefinition<I, C, O> hint(String hint, Object value) {
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
