// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.value;

import io.longhaul.file.text.SimilarWord;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.YamlTree;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads conditions on values by their names, as JSON Schema of the object that meets them all. A condition is a value,
 * a list of values or a JSON Schema.
 *
 * @param types  the schemas of the values, by the names that they can have
 * @param isOpen whether there may be more names, which could not be read
 */
public record Conditions(FileFields file, JsonNode types, boolean isOpen) {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /**
     * @param is what a value is, such as "input of this tool"
     * @param no the advice where there is none
     */
    public ObjectNode read(String place, String is, String no) {
        var schema = JSON.objectNode().put("type", "object");
        var properties = schema.putObject("properties");
        var required = schema.putArray("required");
        var known = types.propertyNames();
        for (var name : file.node(place).propertyNames()) {
            var of = YamlTree.below(place, name);
            if (!known.contains(name) && !isOpen) {
                file.wrongName(of, "is no " + is, known.isEmpty() ? no : SimilarWord.advice(name, known));
            }
            checkType(of, types.path(name).path("type").asString(""));
            properties.set(name, condition(of));
            required.add(name);
        }
        return schema;
    }

    /** Refuses a value, or a value in a list, that no value of that type equals. */
    private void checkType(String of, String type) {
        file.places(of).forEach(place -> {
            var value = file.node(place);
            boolean fits = switch (type) {
                case "boolean" -> value.isBoolean();
                case "string" -> value.isString();
                case "integer", "number" -> value.isNumber();
                default -> true;
            };
            if (!fits && !value.isObject()) {
                var advice =
                        type.equals("boolean") ? "true or false" : type.equals("string") ? "it in quotes" : "a number";
                var problem = FileFields.quote(value.asString("")) + " is no " + type + ", so that it is never met";
                file.wrong(place, problem, "Write " + advice);
            }
        });
    }

    /** The schema of a condition: a value must be equal, and a list allows any of its values. */
    private JsonNode condition(String of) {
        var written = file.node(of);
        if (written.isObject()) {
            SchemaMistakes.at(of, file);
            return written;
        }
        return JSON.objectNode().set(written.isArray() ? "enum" : "const", written);
    }
}
