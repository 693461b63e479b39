package io.longhaul.server;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Fills in what a schema has a default for and arguments do not have. Thread-safe. */
final class Defaults {

    private final JsonNode schema;
    private final boolean any;

    /** @param schema derived from Java types, so that what leads to defaults is known */
    Defaults(String schema) {
        this.schema = Values.parse(schema);
        any = schema.contains("\"default\"");
    }

    /** The arguments with all defaults; they themselves are left as they are. */
    JsonNode fill(JsonNode arguments) {
        return any ? fill(arguments.deepCopy(), schema) : arguments;
    }

    private JsonNode fill(JsonNode value, JsonNode at) {
        JsonNode rule = resolved(at);
        if (value instanceof ObjectNode object) {
            for (var property : rule.path("properties").properties()) {
                JsonNode inner = object.get(property.getKey());
                JsonNode unsaid = property.getValue().get("default");
                if (inner != null) {
                    fill(inner, property.getValue());
                } else if (unsaid != null) {
                    object.set(property.getKey(), fill(unsaid.deepCopy(), property.getValue()));
                }
            }
            fillOthers(object, rule);
        } else if (value.isArray() && rule.has("items")) {
            value.forEach(item -> fill(item, rule.get("items")));
        }
        return value;
    }

    private void fillOthers(ObjectNode object, JsonNode rule) {
        JsonNode others = rule.get("additionalProperties");
        if (others != null && others.isObject()) {
            object.forEach(inner -> fill(inner, others));
        }
        String name = object.path(ToolIntrospector.TYPE).asString("");
        for (JsonNode choice : rule.path("oneOf")) {
            JsonNode one = resolved(choice);
            JsonNode type = one.path("properties").path(ToolIntrospector.TYPE).path("const");
            if (type.asString("").equals(name)) {
                fill(object, one);
            }
        }
    }

    private JsonNode resolved(JsonNode at) {
        String reference = at.path("$ref").asString("");
        return reference.isEmpty() ? at : schema.at(reference.substring(1));
    }
}
