// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.schema;

import io.longhaul.schema.SchemaCheck;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Finds mistakes in a written schema that a compiler of schemas lets pass. */
public final class WrittenSchema {

    private static final Set<String> TYPES =
            Set.of("array", "boolean", "integer", "null", "number", "object", "string");
    private static final List<String> NAMED = List.of("properties", "patternProperties", "$defs");
    private static final List<String> SINGLE = List.of("items", "additionalProperties", "not", "if", "then", "else");
    private static final List<String> SEVERAL = List.of("prefixItems", "allOf", "anyOf", "oneOf");

    private WrittenSchema() {}

    /** @throws IllegalArgumentException where a type is unknown, or a default does not match its schema */
    static void check(JsonNode schema) {
        check(schema, "");
    }

    private static void check(JsonNode schema, String at) {
        if (!schema.isObject()) {
            return;
        }
        checkType(schema.path("type"), at);
        checkDefault(schema, at);
        for (String word : NAMED) {
            for (var inner : schema.path(word).properties()) {
                check(inner.getValue(), at + "/" + word + "/" + inner.getKey());
            }
        }
        for (String word : SINGLE) {
            check(schema.path(word), at + "/" + word);
        }
        for (String word : SEVERAL) {
            for (JsonNode inner : schema.path(word)) {
                check(inner, at + "/" + word);
            }
        }
    }

    private static void checkType(JsonNode type, String at) {
        for (JsonNode one : type.isArray() ? type : List.of(type)) {
            if (!one.isMissingNode() && !TYPES.contains(one.asString(""))) {
                throw new IllegalArgumentException("the type " + one + where(at) + " is none of "
                        + TYPES.stream().sorted().toList());
            }
        }
    }

    /** Checks a default against its schema. Skips schemas with references, as their targets are missing here. */
    private static void checkDefault(JsonNode schema, String at) {
        JsonNode value = schema.get("default");
        if (value == null || schema.toString().contains("\"$ref\"")) {
            return;
        }
        SchemaCheck.of(schema.toString()).problem(value).ifPresent(problem -> {
            throw new IllegalArgumentException("the default " + value + where(at) + " does not fit: " + problem);
        });
    }

    private static String where(String at) {
        return at.isEmpty() ? "" : " at " + at;
    }
}
