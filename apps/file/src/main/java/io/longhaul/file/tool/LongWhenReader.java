// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.tool;

import io.longhaul.file.tree.FileFields;
import io.longhaul.file.value.Conditions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads which calls of a tool are long, as JSON Schema of their arguments. */
record LongWhenReader(FileFields file, String at) {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    @Nullable
    ObjectNode read(ObjectNode inputs) {
        var place = at + "/longWhen";
        if (!file.has(place)) {
            return null;
        }
        for (var other : List.of("quick", "taskOnly", "elicit", "approve")) {
            if (file.has(at + "/" + other) && !file.node(at + "/" + other).equals(JSON.booleanNode(false))) {
                var fix = "Keep one of the two: some calls of the tool are answered at once";
                file.wrong(place, "stands beside " + other, fix);
            }
        }
        boolean isOpen = file.isTakenOut(at + "/input") || file.isTakenOut(at + "/inputSchema");
        return new Conditions(file, inputs.path("properties"), isOpen)
                .read(place, "input of this tool", "The tool has no inputs.");
    }
}
