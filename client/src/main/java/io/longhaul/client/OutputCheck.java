package io.longhaul.client;

import io.longhaul.peer.schema.SchemaCheck;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * "Clients SHOULD validate structured results against this schema." What does not fit is told of and kept: there may be
 * hours of work in it.
 */
final class OutputCheck {

    private OutputCheck() {}

    /** What is wrong with a result of a tool with this output schema, in one sentence. */
    static Optional<String> problem(JsonNode schema, Json result) {
        var structured = JsonTree.read(result).path("structuredContent");
        if (structured.isMissingNode()) {
            return Optional.of("The tool has an output schema, and gave no structured content.");
        }
        try {
            return SchemaCheck.of(schema.toString())
                    .problem(structured)
                    .map(why -> "The result does not fit the tool's output schema: " + why + ".");
        } catch (RuntimeException | StackOverflowError e) {
            String why = e instanceof IllegalArgumentException ? e.getMessage() : "it cannot be followed to an end";
            return Optional.of("The tool's output schema cannot be used, and the result was not checked: " + why + ".");
        }
    }
}
