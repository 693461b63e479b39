// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.request;

import io.longhaul.engine.run.Template;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * JSON with slots in its texts. A text that is exactly one slot stands for the value itself, of any type. A field or an
 * item with a missing value is left out.
 */
public record JsonTemplate(JsonNode json) {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** The names of the values that the JSON takes. */
    public Set<String> names() {
        var names = new LinkedHashSet<String>();
        collect(json, names);
        return names;
    }

    private static void collect(JsonNode node, Set<String> names) {
        if (node.isString()) {
            names.addAll(Template.parse(node.stringValue()).slots());
        }
        node.forEach(child -> collect(child, names));
    }

    /** The JSON with the fields of an object as values; empty where it is one text whose value is missing. */
    public Optional<JsonNode> fill(JsonNode values) {
        return fill(name -> find(values, name));
    }

    Optional<JsonNode> fill(Function<String, Optional<JsonNode>> values) {
        return filled(json, values);
    }

    private static Optional<JsonNode> filled(JsonNode node, Function<String, Optional<JsonNode>> values) {
        if (node.isObject()) {
            var object = NODES.objectNode();
            node.properties()
                    .forEach(field ->
                            filled(field.getValue(), values).ifPresent(value -> object.set(field.getKey(), value)));
            return Optional.of(object);
        }
        if (node.isArray()) {
            var array = NODES.arrayNode();
            node.forEach(item -> filled(item, values).ifPresent(array::add));
            return Optional.of(array);
        }
        return node.isString() ? value(Template.parse(node.stringValue()), values) : Optional.of(node);
    }

    /** The value of a text: that of a slot where the text is exactly one; empty where a value is missing. */
    static Optional<JsonNode> value(Template text, Function<String, Optional<JsonNode>> values) {
        return text.onlySlot().map(values).orElseGet(() -> filled(text, values).map(NODES::stringNode));
    }

    /** The text with its values; empty where one is missing. */
    static Optional<String> filled(Template text, Function<String, Optional<JsonNode>> values) {
        return text.slots().stream().allMatch(name -> values.apply(name).isPresent())
                ? Optional.of(text.fill(
                        name -> TemplateValues.asText(values.apply(name).orElseThrow())))
                : Optional.empty();
    }

    /** The value of {@code name} or {@code name.field}; empty for one that was not given, or is null. */
    static Optional<JsonNode> find(JsonNode values, String name) {
        var value = values.path(name);
        if (value.isMissingNode()) {
            value = values;
            for (var step : name.split("\\.", -1)) {
                value = value.path(step);
            }
        }
        return value.isMissingNode() || value.isNull() ? Optional.empty() : Optional.of(value);
    }
}
