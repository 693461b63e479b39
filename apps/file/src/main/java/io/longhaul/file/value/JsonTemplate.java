// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.value;

import io.longhaul.engine.run.Template;
import io.longhaul.file.tree.YamlTree;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * JSON with placeholders in its texts. A text that is exactly one placeholder stands for the value itself, of any type.
 * Immutable.
 */
public record JsonTemplate(JsonNode json) {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** The JSON at a place of the file, all of whose placeholders are known. */
    public static JsonTemplate read(String place, JsonNode node, Placeholders places) {
        return new JsonTemplate(checked(place, node, places));
    }

    private static JsonNode checked(String place, JsonNode node, Placeholders places) {
        if (node.isObject()) {
            var object = NODES.objectNode();
            node.properties()
                    .forEach(field -> object.set(
                            field.getKey(), checked(YamlTree.below(place, field.getKey()), field.getValue(), places)));
            return object;
        }
        if (node.isArray()) {
            var array = NODES.arrayNode();
            for (int i = 0; i < node.size(); i++) {
                array.add(checked(place + "/" + i, node.get(i), places));
            }
            return array;
        }
        return node.isString()
                ? NODES.stringNode(places.template(place, node.stringValue()).text())
                : node;
    }

    /** The JSON with its values; empty where a value is missing. Within it, an entry without a value is left out. */
    public Optional<JsonNode> fill(JsonNode values) {
        return filled(json, values);
    }

    private static Optional<JsonNode> filled(JsonNode node, JsonNode values) {
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
        if (!node.isString()) {
            return Optional.of(node);
        }
        var text = Template.parse(node.stringValue());
        if (text.slots().stream().anyMatch(name -> value(name, values).isEmpty())) {
            return Optional.empty();
        }
        return text.onlySlot()
                .map(name -> value(name, values))
                .orElseGet(() -> Optional.of(NODES.stringNode(
                        text.fill(name -> CallValues.asText(value(name, values).orElseThrow())))));
    }

    /** The value of a name, or of a field of an answer. */
    private static Optional<JsonNode> value(String name, JsonNode values) {
        var value = values.path(name);
        if (value.isMissingNode()) {
            value = values.at("/" + name.replace('.', '/'));
        }
        return Optional.of(value).filter(found -> !found.isMissingNode() && !found.isNull());
    }
}
