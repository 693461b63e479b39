// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.schema;

import io.longhaul.protocol.Require;
import io.longhaul.schema.SchemaCheck;
import tools.jackson.databind.JsonNode;

/** Derives JSON Schemas from records, and checks schemas that people wrote. */
public final class Schemas {

    public static final String NO_ARGUMENTS = "{\"type\":\"object\",\"additionalProperties\":false}";

    private Schemas() {}

    /**
     * The schema of a record: every component is required unless it is nullable, optional or has a default.
     *
     * @throws IllegalArgumentException where {@code type} is not a record, or a component has no form in JSON
     */
    public static String of(Class<?> type) {
        JsonNode schema = TypeSchemas.document(type);
        if (!"object".equals(schema.path("type").asString(""))) {
            throw new IllegalArgumentException(type.getName() + " is no JSON object: use a record");
        }
        return schema.toString();
    }

    /** The schema of the arguments of the tool {@code tool}. */
    public static String input(String tool, Class<?> type) {
        try {
            String schema = of(type);
            checkInput(Values.parse(schema));
            return schema;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the input of tool '" + tool + "': " + e.getMessage(), e);
        }
    }

    /** The schema of the structured content of the tool {@code tool}. */
    public static String output(String tool, Class<?> type) {
        try {
            return TypeSchemas.document(type).toString();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the output of tool '" + tool + "': " + e.getMessage(), e);
        }
    }

    public static String checked(String tool, String what, String schema) {
        try {
            SchemaCheck.of(schema);
            JsonNode tree = Values.parse(schema);
            WrittenSchema.check(tree);
            if (what.equals("input")) {
                checkInput(tree);
            }
            return tree.toString();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the " + what + " schema of tool '" + tool + "' is not usable: " + e.getMessage(), e);
        }
    }

    private static void checkInput(JsonNode schema) {
        Require.that("object".equals(schema.path("type").asString("")), "its type must be \"object\"");
        HeaderMarks.check(schema);
    }
}
