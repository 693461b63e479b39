package io.longhaul.server;

import io.longhaul.engine.run.Backend;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A tool in the making. Every method but the last two gives the definition back. Not thread-safe.
 *
 * @param <I> what the arguments are bound to
 */
public final class ToolDefinition<I> {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,128}");

    final String name;
    final Map<String, Object> words = new LinkedHashMap<>();
    List<Icon> icons = List.of();
    private final Map<String, Object> annotations = new LinkedHashMap<>();
    Class<?> inputType;
    String inputSchema = Schemas.NO_ARGUMENTS;

    @Nullable
    String outputSchema;

    @Nullable
    LongRunning longRunning;

    ToolDefinition(String name, Class<I> inputType) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("the tool name '" + name
                    + "' must be 1 to 128 letters, digits, underscores, hyphens or dots (A-Z, a-z, 0-9, _ - .)");
        }
        this.name = name;
        this.inputType = inputType;
    }

    /** Its name for people. */
    public ToolDefinition<I> title(String title) {
        words.put("title", title);
        return this;
    }

    /** What it does, for a model. */
    public ToolDefinition<I> description(String description) {
        words.put("description", description);
        return this;
    }

    /** What stands for it, in clients that show pictures. */
    public ToolDefinition<I> icons(Icon... pictures) {
        icons = List.of(pictures);
        return this;
    }

    /** Takes the components of {@code type}, a record, for arguments: their JSON Schema is derived. */
    public <T> ToolDefinition<T> input(Class<T> type) {
        inputSchema = Schemas.of(type);
        return as(type);
    }

    /** Takes arguments that {@code schema}, JSON Schema 2020-12 as text, allows. */
    public ToolDefinition<JsonNode> inputSchema(String schema) {
        inputSchema = Schemas.checked(name, "input", schema);
        return as(JsonNode.class);
    }

    /** Says that its structured content is a {@code type}: its JSON Schema is derived. */
    public ToolDefinition<I> output(Class<?> type) {
        outputSchema = Schemas.of(type);
        return this;
    }

    /**
     * Says that {@code schema}, JSON Schema 2020-12 as text, allows its structured content. Where it allows something
     * else than objects, only clients of 2026-07-28 get to know.
     */
    public ToolDefinition<I> outputSchema(String schema) {
        outputSchema = Schemas.checked(name, "output", schema);
        return this;
    }

    /** A hint: it changes nothing. */
    public ToolDefinition<I> readOnly() {
        return hint("readOnlyHint", true);
    }

    /** A hint: whether what it does may destroy something. */
    public ToolDefinition<I> destructive(boolean is) {
        return hint("destructiveHint", is);
    }

    /** A hint: calling it again with the same arguments changes nothing more. */
    public ToolDefinition<I> idempotent() {
        return hint("idempotentHint", true);
    }

    /** A hint: whether it reaches beyond a closed world. */
    public ToolDefinition<I> openWorld(boolean is) {
        return hint("openWorldHint", is);
    }

    /** Makes each call of it a durable task. */
    public ToolDefinition<I> longRunning() {
        return longRunning(options -> {});
    }

    /** Makes each call of it a durable task, kept and run as {@code options} says. */
    public ToolDefinition<I> longRunning(Consumer<LongRunning> options) {
        longRunning = new LongRunning();
        options.accept(longRunning);
        return this;
    }

    /** Finishes the definition with what the tool does. */
    public Tool handler(ToolHandler<? super I> handler) {
        return Tool.of(this, handler);
    }

    /**
     * Finishes the definition with external work: the tool is long-running, and {@code backend} gets the arguments as
     * JSON.
     */
    public Tool backend(Backend backend) {
        return Tool.of(this, backend);
    }

    private ToolDefinition<I> hint(String hint, boolean value) {
        annotations.put(hint, value);
        words.put("annotations", new LinkedHashMap<>(annotations));
        return this;
    }

    @SuppressWarnings("unchecked")
    private <T> ToolDefinition<T> as(Class<T> type) {
        inputType = type;
        return (ToolDefinition<T>) this;
    }
}
