// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.codec;

import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.schema.OptionalNulls;
import io.longhaul.schema.SchemaCheck;
import io.longhaul.server.Content;
import io.longhaul.server.McpException;
import io.longhaul.server.ToolResult;
import io.longhaul.server.internal.schema.Values;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Converts return values of handlers to results of the protocol. */
public final class ResultCodec {

    private static final Logger LOG = LoggerFactory.getLogger(ResultCodec.class);

    private static final List<Class<?>> LATER =
            List.of(Future.class, CompletionStage.class, BaseStream.class, Flow.Publisher.class);

    private final String tool;
    private final @Nullable SchemaCheck output;
    private final OptionalNulls nulls;

    /** @param schema of the structured content; null for none */
    public ResultCodec(String tool, @Nullable String schema) {
        this.tool = tool;
        output = schema == null ? null : SchemaCheck.of(schema);
        nulls = new OptionalNulls(Values.parse(schema == null ? "{}" : schema));
    }

    /** Whether good results have structured content, which matches a schema. */
    public boolean hasSchema() {
        return output != null;
    }

    /**
     * The whole result.
     *
     * @throws McpException where the result does not match the tool's output schema
     */
    public Json of(ToolResult result) {
        JsonNode structured = result.structuredContent() == null ? null : Values.toTree(result.structuredContent());
        return written(result, result.isError() ? structured : checked(structured));
    }

    private static Json written(ToolResult result, @Nullable JsonNode structured) {
        boolean onlyStructured = result.content().isEmpty() && structured != null;
        var content = onlyStructured ? List.of(Content.text(structured.toString())) : result.content();
        var out = new JsonWriter(512).beginObject().name("content");
        ContentCodec.write(content, out);
        out.optional("structuredContent", structured == null ? null : Values.json(structured));
        if (result.isError()) {
            out.name("isError").bool(true);
        }
        if (!result.meta().isEmpty()) {
            out.name(Meta.META).raw(Values.json(result.meta()));
        }
        return out.endObject().toJson();
    }

    /**
     * The result for a returned value, by the table of {@code docs/TOOLS.md}.
     *
     * @throws IllegalStateException where the value comes later
     */
    public ToolResult result(@Nullable Object returned) {
        return switch (returned) {
            case null -> ToolResult.EMPTY;
            case ToolResult result -> result;
            case String text -> ToolResult.text(text);
            case Content item -> ToolResult.of(item);
            case Optional<?> perhaps -> result(perhaps.orElse(null));
            case List<?> items
            when !items.isEmpty() && items.stream().allMatch(Content.class::isInstance) ->
                ToolResult.of(items.toArray(Content[]::new));
            default -> valued(returned);
        };
    }

    private ToolResult valued(Object returned) {
        lateness(returned.getClass()).ifPresent(problem -> {
            throw new IllegalStateException("the handler of tool '" + tool + "' does not give its result: " + problem);
        });
        JsonNode tree = Values.toTree(returned);
        if (tree.isNull()) {
            return ToolResult.EMPTY;
        }
        return tree.isValueNode() && output == null
                ? ToolResult.text(tree.asString())
                : ToolResult.EMPTY.withStructuredContent(tree);
    }

    /**
     * The structured content of a good result as the tool's output schema allows it: without nulls that stand for
     * absence.
     *
     * @throws McpException where the structured content does not match the schema
     */
    @Nullable
    public JsonNode checked(@Nullable JsonNode structured) {
        if (output == null) {
            return structured;
        }
        var present = structured == null ? null : nulls.without(structured);
        String problem = present == null
                ? "it has no structured content"
                : output.problem(present).orElse(null);
        if (problem != null) {
            LOG.error("tool {} returned what its output schema does not allow: {}", tool, problem);
            throw new McpException(
                    RpcError.INTERNAL_ERROR,
                    "Tool '" + tool + "' returned what its output schema does not allow: " + problem);
        }
        return present;
    }

    /** Why a value of {@code type} is no result yet, and what to return instead; empty where it is one. */
    public static Optional<String> lateness(Class<?> type) {
        String name = type.getName();
        boolean isLater = LATER.stream().anyMatch(later -> later.isAssignableFrom(type))
                || name.startsWith("reactor.")
                || name.startsWith("io.smallrye.mutiny.")
                || name.startsWith("org.reactivestreams.");
        return isLater
                ? Optional.of("it returns a " + name + ": return the value itself, the method may block as long as it"
                        + " takes")
                : Optional.empty();
    }
}
