// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.schema;

import io.longhaul.schema.OptionalNulls;
import io.longhaul.server.internal.method.ToolIntrospector;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Fills in what a schema has a default for and arguments do not have, and takes out nulls that say that something is
 * absent. Thread-safe.
 */
public final class Defaults {

    private final JsonNode schema;
    private final OptionalNulls nulls;
    private final boolean any;

    /**
     * Those of a schema. They are found by way of {@code properties}, {@code items} and references by path, which is
     * all that schemas made of Java types have.
     */
    public Defaults(String schema) {
        this.schema = Values.parse(schema);
        nulls = new OptionalNulls(this.schema);
        any = schema.contains("\"default\"");
    }

    /** The arguments with all defaults; they themselves are left as they are. */
    public JsonNode fill(JsonNode arguments) {
        JsonNode given = nulls.without(arguments);
        return any ? fill(given.deepCopy(), schema, true) : given;
    }

    /** @param deep whether what is missing in a default is filled in, too: once, for a schema may hold itself */
    private JsonNode fill(JsonNode value, JsonNode at, boolean deep) {
        JsonNode rule = resolved(at);
        if (value instanceof ObjectNode object) {
            for (var property : rule.path("properties").properties()) {
                JsonNode inner = object.get(property.getKey());
                JsonNode unsaid = property.getValue().get("default");
                if (inner != null) {
                    fill(inner, property.getValue(), deep);
                } else if (unsaid != null) {
                    JsonNode copy = unsaid.deepCopy();
                    object.set(property.getKey(), deep ? fill(copy, property.getValue(), false) : copy);
                }
            }
            fillOthers(object, rule, deep);
        } else if (value.isArray() && rule.path("items").isObject()) {
            value.forEach(item -> fill(item, rule.get("items"), deep));
        }
        return value;
    }

    private void fillOthers(ObjectNode object, JsonNode rule, boolean deep) {
        JsonNode others = rule.get("additionalProperties");
        if (others != null && others.isObject()) {
            object.forEach(inner -> fill(inner, others, deep));
        }
        String name = object.path(ToolIntrospector.TYPE).asString("");
        for (JsonNode choice : rule.path("oneOf")) {
            JsonNode one = resolved(choice);
            JsonNode type = one.path("properties").path(ToolIntrospector.TYPE).path("const");
            if (!name.isEmpty() && type.asString("").equals(name)) {
                fill(object, one, deep);
            }
        }
    }

    private JsonNode resolved(JsonNode at) {
        String reference = at.path("$ref").asString("");
        return reference.startsWith("#/") ? schema.at(reference.substring(1)) : at;
    }
}
