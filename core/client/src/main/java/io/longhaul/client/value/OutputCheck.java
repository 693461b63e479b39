// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.value;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.schema.SchemaCheck;
import io.longhaul.schema.SchemaCheck.Verdict;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * "Clients SHOULD validate structured results against this schema." A result that does not fit is kept, with a warning:
 * its work may have taken hours.
 */
public final class OutputCheck {

    private OutputCheck() {}

    /** Why a result does not fit the output schema of its tool, in one sentence; empty where it fits. */
    public static Optional<String> problem(JsonNode schema, Json result) {
        var structured = JsonTree.read(result).path("structuredContent");
        if (structured.isMissingNode()) {
            return Optional.of("The tool has an output schema, and gave no structured content.");
        }
        try {
            return switch (SchemaCheck.of(schema.toString()).verdict(structured)) {
                case Verdict.Fits fits -> Optional.empty();
                case Verdict.Breaks(String why) ->
                    Optional.of("The result does not fit the tool's output schema: " + why + ".");
                case Verdict.GivenUp spent -> Optional.of(unchecked("checking a result with it takes too many steps"));
            };
        } catch (RuntimeException e) {
            return Optional.of(unchecked(
                    e instanceof IllegalArgumentException ? e.getMessage() : "it cannot be followed to an end"));
        }
    }

    private static String unchecked(String why) {
        return "The tool's output schema cannot be used, and the result was not checked: " + why + ".";
    }
}
