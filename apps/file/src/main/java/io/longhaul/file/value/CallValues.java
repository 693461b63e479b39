// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.value;

import io.longhaul.engine.run.Template;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The values for the places of a command: arguments of a call, and answers. Immutable.
 *
 * @param values by the names of their places
 * @param json   all values; the answer to a question is an object under its key
 */
public record CallValues(Map<String, JsonNode> values, ObjectNode json) {

    /** The arguments of a call, with their defaults. */
    public static CallValues of(JsonNode arguments) {
        var values = new LinkedHashMap<String, JsonNode>();
        arguments.properties().forEach(argument -> values.put(argument.getKey(), argument.getValue()));
        return new CallValues(values, object(values));
    }

    private static ObjectNode object(Map<String, JsonNode> fields) {
        var object = JsonNodeFactory.instance.objectNode();
        fields.forEach(object::set);
        return object;
    }

    /** These values, with the fields of an answer and the defaults of missing ones, as {@code key.field}. */
    public CallValues with(String key, JsonNode answer, JsonNode schema) {
        var more = new LinkedHashMap<>(values);
        var fields = new LinkedHashMap<String, JsonNode>();
        schema.path("properties").properties().forEach(property -> {
            if (property.getValue().has("default")) {
                fields.put(property.getKey(), property.getValue().get("default"));
            }
        });
        answer.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
        fields.forEach((field, value) -> more.put(key + "." + field, value));
        var whole = json.deepCopy();
        whole.set(key, object(fields));
        return new CallValues(more, whole);
    }

    @Override
    public ObjectNode json() {
        return json.deepCopy();
    }

    /** Each value as text: several for a list, an object as JSON; none for null. */
    public Map<String, List<String>> texts() {
        var texts = new LinkedHashMap<String, List<String>>();
        values.forEach((name, value) -> {
            if (value.isArray()) {
                var items = new ArrayList<String>();
                value.forEach(item -> items.add(asText(item)));
                texts.put(name, items);
            } else if (!value.isNull()) {
                texts.put(name, List.of(asText(value)));
            }
        });
        return texts;
    }

    /** Fills a text for people; a missing value leaves a gap. */
    public String fill(Template template) {
        var texts = texts();
        return template.fill(name -> String.join(", ", texts.getOrDefault(name, List.of())));
    }

    private static String asText(JsonNode value) {
        return value.isString() ? value.stringValue() : value.toString();
    }
}
