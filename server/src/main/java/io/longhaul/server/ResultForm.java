package io.longhaul.server;

import io.longhaul.peer.schema.SchemaCheck;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import java.util.List;
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
        JsonNode structured = result.structured() == null ? null : Values.toTree(result.structured());
        check(result, structured);
        boolean onlyStructured = result.content().isEmpty() && structured != null;
        var content = onlyStructured ? List.of(Content.text(structured.toString())) : result.content();
        var out = new JsonWriter(512).beginObject().name("content");
        ContentForm.write(content, out);
        out.optional("structuredContent", structured == null ? null : Values.json(structured));
        if (result.isError()) {
            out.name("isError").bool(true);
        }
        return out.endObject().toJson();
    }

    static ToolResult result(@Nullable Object returned) {
        return switch (returned) {
            case null -> ToolResult.EMPTY;
            case ToolResult result -> result;
            case String text -> ToolResult.text(text);
            case Content item -> ToolResult.of(item);
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
