// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
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
        for (var other : List.of("quick", "taskOnly", "elicit")) {
            if (file.has(at + "/" + other) && !file.node(at + "/" + other).equals(JSON.booleanNode(false))) {
                var fix = "Keep one of the two: some calls of the tool are answered at once";
                file.mistakes().at(place, "stands beside " + other, fix);
            }
        }
        var schema = JSON.objectNode().put("type", "object");
        var properties = schema.putObject("properties");
        var required = schema.putArray("required");
        var known = inputs.path("properties").propertyNames();
        for (var name : file.node(place).propertyNames()) {
            var of = YamlTree.below(place, name);
            if (!known.contains(name) && !file.isTakenOut(at + "/input") && !file.isTakenOut(at + "/inputSchema")) {
                var fix = known.isEmpty() ? "The tool has no inputs." : Nearest.advice(name, known);
                file.mistakes().atName(of, "is no input of this tool", fix);
            }
            properties.set(name, condition(of));
            required.add(name);
        }
        return schema;
    }

    /** The schema of a condition: a value must be equal, and a list allows any of its values. */
    private JsonNode condition(String of) {
        var written = file.node(of);
        if (written.isObject()) {
            SchemaLook.at(of, file);
            return written;
        }
        return JSON.objectNode().set(written.isArray() ? "enum" : "const", written);
    }
}
