package io.longhaul.server;

import io.longhaul.peer.schema.SchemaCheck;
import io.longhaul.protocol.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What handlers return, as results of the protocol. */
final class ResultForm {

    private final String tool;
    private final @Nullable SchemaCheck output;

    ResultForm(Tool tool) {
        this.tool = tool.name();
        output = tool.outputSchema == null ? null : SchemaCheck.of(tool.outputSchema);
    }

    /**
     * The whole result.
     *
     * @throws IllegalStateException where it is not what the tool's schema promises
     */
    Json of(ToolResult result) {
        Map<String, Object> whole = new LinkedHashMap<>();
        JsonNode structured = result.structured() == null ? null : Values.toTree(result.structured());
        boolean isObject = structured != null && structured.isObject();
        check(result, isObject ? structured : null);
        whole.put(
                "content",
                result.content().isEmpty() && structured != null
                        ? ToolResult.text(structured.toString()).content()
                        : result.content());
        if (structured != null && isObject) {
            whole.put("structuredContent", structured);
        }
        if (result.isError()) {
            whole.put("isError", true);
        }
        return Values.json(whole);
    }

    static ToolResult result(@Nullable Object returned) {
        return switch (returned) {
            case null -> ToolResult.EMPTY;
            case ToolResult result -> result;
            case String text -> ToolResult.text(text);
            default -> ToolResult.EMPTY.withStructured(returned);
        };
    }

    private void check(ToolResult result, @Nullable JsonNode structured) {
        if (output == null || result.isError()) {
            return;
        }
        String problem = structured == null
                ? "it has no structured content"
                : output.problem(structured).orElse(null);
        if (problem != null) {
            throw new IllegalStateException(
                    "tool '" + tool + "' returned what its output schema does not allow: " + problem);
        }
    }
}
