// SPDX-License-Identifier: Apache-2.0
package io.longhaul.schema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Removes nulls that stand for absent properties, because models write null for properties that they leave out. A null
 * is removed where the property is optional and the schema refuses null for it; any other null is kept.
 */
public final class OptionalNulls {

    private final JsonNode schema;

    /** @param schema the schema of the values */
    public OptionalNulls(JsonNode schema) {
        this.schema = schema;
    }

    /** A copy of the value without such nulls; the value itself stays unchanged. */
    public JsonNode without(JsonNode value) {
        return hasNull(value) ? drop(value.deepCopy(), schema) : value;
    }

    private JsonNode drop(JsonNode value, JsonNode at) {
        JsonNode rule = resolved(at);
        if (value instanceof ObjectNode object) {
            dropProperties(object, rule);
            rule.path("allOf").forEach(part -> dropProperties(object, resolved(part)));
            for (String word : List.of("oneOf", "anyOf")) {
                rule.path(word)
                        .valueStream()
                        .map(this::resolved)
                        .filter(choice -> isNamed(object, choice.path("properties")))
                        .forEach(choice -> dropProperties(object, choice));
            }
        } else if (value.isArray() && rule.path("items").isObject()) {
            value.forEach(item -> drop(item, rule.get("items")));
        }
        return value;
    }

    private void dropProperties(ObjectNode object, JsonNode rule) {
        Set<String> required = new HashSet<>();
        rule.path("required").forEach(name -> required.add(name.asString("")));
        List<String> absent = new ArrayList<>();
        object.properties().forEach(property -> {
            String name = property.getKey();
            JsonNode named = rule.path("properties").get(name);
            if (named == null) {
                drop(property.getValue(), rule.path("additionalProperties"));
            } else if (property.getValue().isNull() && !required.contains(name) && refusesNull(named)) {
                absent.add(name);
            } else {
                drop(property.getValue(), named);
            }
        });
        object.remove(absent);
    }

    /** Whether the schema has properties with constants, and the object has all of these constants. */
    private static boolean isNamed(ObjectNode object, JsonNode properties) {
        var constants = properties.properties().stream()
                .filter(property -> property.getValue().has("const"))
                .toList();
        return !constants.isEmpty()
                && constants.stream()
                        .allMatch(one -> one.getValue().get("const").equals(object.get(one.getKey())));
    }

    private boolean refusesNull(JsonNode at) {
        JsonNode rule = resolved(at);
        JsonNode type = rule.path("type");
        if (type.isString() && !type.asString().equals("null")) {
            return true;
        }
        if (type.isArray()
                && type.valueStream().noneMatch(one -> one.asString("").equals("null"))) {
            return true;
        }
        if (rule.path("enum").isArray() && rule.path("enum").valueStream().noneMatch(JsonNode::isNull)) {
            return true;
        }
        return refusesInAll(rule.path("oneOf")) || refusesInAll(rule.path("anyOf"));
    }

    private boolean refusesInAll(JsonNode choices) {
        return choices.isArray() && choices.valueStream().map(this::resolved).allMatch(this::namesAnotherType);
    }

    /**
     * Whether a choice requires another type than null. Does not search deeper, so that a recursive choice does no
     * harm.
     */
    private boolean namesAnotherType(JsonNode rule) {
        JsonNode type = rule.path("type");
        return type.isString() && !type.asString().equals("null");
    }

    private JsonNode resolved(JsonNode at) {
        String reference = at.path("$ref").asString("");
        return reference.startsWith("#/") ? schema.at(reference.substring(1)) : at;
    }

    private static boolean hasNull(JsonNode value) {
        if (!value.isContainer()) {
            return value.isNull();
        }
        for (JsonNode inner : value) {
            if (hasNull(inner)) {
                return true;
            }
        }
        return false;
    }
}
