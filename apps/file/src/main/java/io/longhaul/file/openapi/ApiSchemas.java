// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.openapi;

import io.longhaul.file.openapi.ApiDocument.Place;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes JSON Schema 2020-12 of the schemas of one operation, for values that are sent. Schemas that are referred to
 * become definitions, so that cycles end. The API judges values, and documents say more than they mean: closed objects
 * stay open, of {@code oneOf} several may fit, and a type beside it does not count.
 */
final class ApiSchemas {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Set<String> MAPS = Set.of("properties", "patternProperties", "$defs", "dependentSchemas");
    private static final Set<String> LISTS = Set.of("allOf", "anyOf", "oneOf", "prefixItems");
    private static final Set<String> SINGLE =
            Set.of("items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else");
    private static final Set<String> KEPT = Set.of(
            "type",
            "enum",
            "const",
            "format",
            "title",
            "description",
            "multipleOf",
            "maximum",
            "minimum",
            "maxLength",
            "minLength",
            "maxItems",
            "minItems",
            "uniqueItems",
            "maxProperties",
            "minProperties",
            "contentEncoding",
            "contentMediaType",
            "deprecated",
            "exclusiveMaximum",
            "exclusiveMinimum");

    private final ApiDocument document;
    private final Map<String, String> names = new HashMap<>();
    private final ObjectNode definitions = JSON.objectNode();
    private final Map<String, Place> unread = new LinkedHashMap<>();

    ApiSchemas(ApiDocument document) {
        this.document = document;
    }

    /** The schemas that others refer to, by their names. */
    ObjectNode definitions() {
        while (!unread.isEmpty()) {
            var next = new LinkedHashMap<>(unread);
            unread.clear();
            next.forEach((name, place) -> definitions.set(name, read(place)));
        }
        return definitions;
    }

    JsonNode read(Place place) {
        var node = place.node();
        if (!node.isObject()) {
            return node.isBoolean() ? node : JSON.objectNode();
        }
        var schema = JSON.objectNode();
        if (node.path("$ref").isString()) {
            schema.put("$ref", "#/$defs/" + named(document.target(place)));
            if (document.isOld()) {
                return schema;
            }
        }
        place.members().forEach((keyword, value) -> keyword(schema, keyword, value));
        if (node.has("default")) {
            // Longhaul would send a default; in OpenAPI it is what the API assumes.
            var said = schema.path("description").asString("");
            var note = "Default: "
                    + node.get("default").asString(node.get("default").toString()) + ".";
            schema.put("description", said.isEmpty() ? note : said + " " + note);
        }
        if (schema.has("anyOf") && !schema.has("properties")) {
            schema.remove("type");
        }
        withoutAnswers(schema, place);
        if (document.isOld()) {
            bounds(schema, "exclusiveMinimum", "minimum");
            bounds(schema, "exclusiveMaximum", "maximum");
            if (node.path("nullable").asBoolean(false)) {
                return nullable(schema);
            }
        }
        return schema;
    }

    private void keyword(ObjectNode schema, String keyword, Place value) {
        var node = value.node();
        if (MAPS.contains(keyword) && node.isObject()) {
            var map = schema.putObject(keyword);
            value.members().forEach((name, member) -> map.set(name, read(member)));
        } else if (LISTS.contains(keyword) && node.isArray()) {
            var list = schema.withArrayProperty(keyword.equals("oneOf") ? "anyOf" : keyword);
            value.members().values().forEach(item -> list.add(read(item)));
        } else if (SINGLE.contains(keyword) && !(keyword.equals("additionalProperties") && node.isBoolean())) {
            schema.set(keyword, read(value));
        } else if (KEPT.contains(keyword) || keyword.equals("required") && node.isArray()) {
            schema.set(keyword, node);
        } else if (keyword.equals("pattern") && isPattern(node.asString(""))) {
            schema.set(keyword, node);
        } else if (keyword.equals("examples") && node.isArray()) {
            schema.set(keyword, node);
        } else if (keyword.equals("example")) {
            schema.putArray("examples").add(node);
        }
        if (keyword.equals("format") && node.asString("").equals("binary")) {
            schema.put("contentEncoding", "base64");
        }
    }

    private static boolean isPattern(String text) {
        try {
            Pattern.compile(text);
            return true;
        } catch (PatternSyntaxException e) {
            return false;
        }
    }

    /** Leaves out the fields that only answers have. */
    private void withoutAnswers(ObjectNode schema, Place place) {
        place.at("properties").members().forEach((name, property) -> {
            if (property.node().path("readOnly").asBoolean(false)
                    && schema.path("properties") instanceof ObjectNode all) {
                all.remove(name);
                var needed = JSON.arrayNode();
                schema.path("required").forEach(other -> {
                    if (!other.asString("").equals(name)) {
                        needed.add(other);
                    }
                });
                schema.set("required", needed);
            }
        });
    }

    private static void bounds(ObjectNode schema, String exclusive, String inclusive) {
        if (schema.path(exclusive).isBoolean()) {
            boolean is = schema.remove(exclusive).booleanValue();
            if (is && schema.has(inclusive)) {
                schema.set(exclusive, schema.remove(inclusive));
            }
        }
    }

    private static JsonNode nullable(ObjectNode schema) {
        if (schema.path("type").isString() && !schema.has("enum")) {
            var type = schema.get("type");
            schema.putArray("type").add(type).add("null");
            return schema;
        }
        var either = JSON.objectNode();
        either.putArray("anyOf").add(schema).addObject().put("type", "null");
        return either;
    }

    /** The name of the definition of a schema, which is read once. */
    private String named(Place target) {
        var known = names.get(target.key());
        if (known != null) {
            return known;
        }
        var last = target.pointer().replaceFirst(".*/", "").replaceAll("[^A-Za-z0-9_.-]+", "_");
        var name = last.isEmpty() ? "schema" : last;
        for (int i = 2; definitions.has(name); i++) {
            name = last + "_" + i;
        }
        names.put(target.key(), name);
        definitions.putObject(name);
        unread.put(name, target);
        // A schema that is a reference must lead to one that is none.
        document.resolved(target);
        return name;
    }

    /** The fields of an object, also those of {@code allOf}, by their names. */
    Map<String, Place> fields(Place schema) {
        var fields = new LinkedHashMap<String, Place>();
        collect(schema, fields, 0);
        return fields;
    }

    private void collect(Place schema, Map<String, Place> fields, int depth) {
        var at = document.resolved(schema);
        at.at("properties").members().forEach(fields::putIfAbsent);
        if (depth < 8) {
            at.at("allOf").members().values().forEach(part -> collect(part, fields, depth + 1));
        }
    }
}
