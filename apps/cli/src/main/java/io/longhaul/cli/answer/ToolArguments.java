// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.answer;

import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.text.JsonText;
import io.longhaul.file.text.SimilarWord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Turns {@code key=value} into the arguments of a tool, each of the type that the tool's schema requires. */
public final class ToolArguments {
    private ToolArguments() {}

    /**
     * The arguments of a call.
     *
     * @param pairs  {@code key=value}; a list repeats its key
     * @param json   an object to begin with
     * @throws UsageException where the arguments do not fit the schema
     */
    public static ObjectNode of(List<String> pairs, Optional<String> json, JsonNode schema) {
        var arguments = json.map(ToolArguments::object).orElseGet(JsonText::object);
        var seen = new ArrayList<String>();
        for (var pair : pairs) {
            var given = KeyValue.parse(pair);
            var key = given.key();
            var value = given.value();
            var property = property(schema, key);
            if (isType(property, "array") && !value.startsWith("[")) {
                var list = seen.contains(key) && arguments.get(key) instanceof ArrayNode array
                        ? array
                        : arguments.putArray(key);
                list.add(value(key, value, property.path("items")));
            } else if (seen.contains(key)) {
                throw given.twice();
            } else {
                arguments.set(key, value(key, value, property));
            }
            seen.add(key);
        }
        return arguments;
    }

    private static ObjectNode object(String text) {
        try {
            if (JsonText.read(text) instanceof ObjectNode object) {
                return object;
            }
        } catch (IllegalArgumentException e) {
            throw new UsageException("the value of --json is no JSON: " + e.getMessage() + ".");
        }
        throw new UsageException("the value of --json is no object. Write '{\"key\": value}'.");
    }

    private static JsonNode property(JsonNode schema, String key) {
        var properties = schema.path("properties");
        if (!properties.has(key)
                && schema.path("additionalProperties").isBoolean()
                && !schema.path("additionalProperties").booleanValue()) {
            throw new UsageException("the tool has no input \"" + key + "\". "
                    + (properties.isEmpty() ? "It takes none." : SimilarWord.advice(key, properties.propertyNames())));
        }
        return properties.path(key);
    }

    private static JsonNode value(String key, String value, JsonNode schema) {
        try {
            return FieldValue.read(value, schema);
        } catch (IllegalArgumentException e) {
            throw new UsageException("\"" + key + "\" " + e.getMessage() + ".");
        }
    }

    private static boolean isType(JsonNode schema, String type) {
        return schema.path("type").asString("").equals(type);
    }
}
