// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A multiple-choice field for a revision whose forms have no such field. It becomes one checkbox for each choice, named
 * by the field and the choice with a dot between. {@link #folded} makes one field of the checked boxes.
 */
public final class ManyChoices {

    private record Choice(String value, String title) {}

    private ManyChoices() {}

    /** Replaces multiple-choice fields in the schema of a form by checkboxes. */
    static void unfold(ObjectNode schema) {
        var fields = JsonTree.object();
        for (var property : schema.path("properties").properties()) {
            if (isMany(property.getValue())) {
                tick(property.getKey(), property.getValue(), fields);
            } else {
                fields.set(property.getKey(), property.getValue());
            }
        }
        var required = JsonTree.array();
        schema.path("required")
                .valueStream()
                .filter(name -> fields.has(name.asString("")))
                .forEach(required::add);
        schema.set("properties", fields);
        if (schema.has("required")) {
            schema.set("required", required);
        }
    }

    /**
     * An answer with its checkboxes combined into multiple-choice fields; any other answer stays unchanged.
     *
     * @param asked  the params of the original question
     * @param answer the result that a client gave
     */
    public static Json folded(Json asked, Json answer) {
        JsonNode schema = JsonTree.read(asked).path("requestedSchema");
        if (schema.path("properties").valueStream().noneMatch(ManyChoices::isMany)) {
            return answer;
        }
        JsonNode given = JsonTree.read(answer);
        if (!(given.path("content") instanceof ObjectNode content)) {
            return answer;
        }
        boolean changed = false;
        for (var property : schema.path("properties").properties()) {
            changed |= isMany(property.getValue()) && fold(property.getKey(), property.getValue(), content);
        }
        return changed ? JsonTree.write(given) : answer;
    }

    private static boolean isMany(JsonNode field) {
        return field.path("type").asString("").equals("array")
                && !choices(field).isEmpty();
    }

    private static void tick(String name, JsonNode field, ObjectNode fields) {
        String title = field.path("title").asString(name);
        for (Choice choice : choices(field)) {
            var box = JsonTree.object();
            box.put("type", "boolean");
            box.put("title", title + ": " + choice.title());
            if (field.has("description")) {
                box.set("description", field.get("description"));
            }
            box.put(
                    "default",
                    field.path("default")
                            .valueStream()
                            .anyMatch(one -> one.asString("").equals(choice.value())));
            fields.set(name + "." + choice.value(), box);
        }
    }

    private static boolean fold(String name, JsonNode field, ObjectNode content) {
        var chosen = JsonTree.array();
        boolean ticked = false;
        for (Choice choice : choices(field)) {
            JsonNode box = content.has(name) ? null : content.get(name + "." + choice.value());
            if (box != null && box.isBoolean()) {
                ticked = true;
                content.remove(name + "." + choice.value());
                if (box.asBoolean()) {
                    chosen.add(choice.value());
                }
            }
        }
        if (ticked) {
            content.set(name, chosen);
        }
        return ticked;
    }

    private static List<Choice> choices(JsonNode field) {
        List<Choice> all = new ArrayList<>();
        JsonNode items = field.path("items");
        items.path("enum").forEach(value -> all.add(new Choice(value.asString(""), value.asString(""))));
        items.path("anyOf").forEach(option -> {
            String value = option.path("const").asString("");
            all.add(new Choice(value, option.path("title").asString(value)));
        });
        return all;
    }
}
