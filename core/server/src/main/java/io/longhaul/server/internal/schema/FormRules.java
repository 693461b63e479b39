// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.schema;

import io.longhaul.protocol.Require;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** "Restricted to a subset of JSON Schema": a form is a flat object of texts, numbers, yes or no, and choices. */
public final class FormRules {

    private static final Set<String> SINGLE = Set.of("string", "number", "integer", "boolean");
    private static final Set<String> FORMATS = Set.of("email", "uri", "date", "date-time");

    private FormRules() {}

    /** @throws IllegalArgumentException where a client could not show a field, with the name of the field */
    public static void check(String schema) {
        JsonNode tree = read(schema);
        if (!"object".equals(tree.path("type").asString(""))) {
            throw new IllegalArgumentException("the schema of a form must have the type \"object\"");
        }
        for (var field : tree.path("properties").properties()) {
            String problem = problem(field.getValue());
            Require.that(problem.isEmpty(), "the field '" + field.getKey() + "' of a form " + problem);
        }
    }

    /** @throws IllegalArgumentException where the message is blank */
    public static void checkMessage(String message) {
        Require.that(!message.isBlank(), "a question needs a message that says what is asked");
    }

    private static JsonNode read(String schema) {
        try {
            return JsonMapper.shared().readTree(schema);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "the schema of a form is not JSON at line "
                            + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr(),
                    e);
        }
    }

    private static String problem(JsonNode field) {
        String type = field.path("type").asString("");
        String format = field.path("format").asString("");
        if (!format.isEmpty() && !FORMATS.contains(format)) {
            return "has the format '" + format + "', which is none of "
                    + FORMATS.stream().sorted().toList();
        }
        if (SINGLE.contains(type)) {
            return crossed(field, "minimum", "maximum") + crossed(field, "minLength", "maxLength");
        }
        return type.equals("array") && isChoice(field.path("items"))
                ? ""
                : "must be a text, number, integer, boolean, or a choice of texts, not " + field;
    }

    private static String crossed(JsonNode field, String least, String most) {
        boolean crossed = field.has(least)
                && field.has(most)
                && field.get(least).asDouble(0) > field.get(most).asDouble(0);
        return crossed ? "can never be filled in: its " + least + " is greater than its " + most : "";
    }

    private static boolean isChoice(JsonNode items) {
        for (String word : List.of("enum", "anyOf", "oneOf")) {
            if (items.path(word).isArray()) {
                return true;
            }
        }
        return false;
    }
}
