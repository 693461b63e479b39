// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.schema;

import io.longhaul.schema.OptionalNulls;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Fills the defaults of a schema into arguments that lack them, and removes nulls that stand for absent values.
 * Thread-safe.
 */
public final class Defaults {

    private final JsonNode schema;
    private final OptionalNulls nulls;
    private final boolean any;

    /**
     * The defaults of a schema. They are found through {@code properties}, {@code items} and references by path:
     * schemas derived from Java types use only these.
     */
    public Defaults(String schema) {
        this.schema = Values.parse(schema);
        nulls = new OptionalNulls(this.schema);
        any = schema.contains("\"default\"");
    }

    /** A copy of the arguments with all defaults. */
    public JsonNode fill(JsonNode arguments) {
        JsonNode given = nulls.without(arguments);
        return any ? fill(given.deepCopy(), schema, true) : given;
    }

    /**
     * @param deep whether defaults are also filled into a default value: only one level, because a schema may refer to
     *             itself
     */
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
