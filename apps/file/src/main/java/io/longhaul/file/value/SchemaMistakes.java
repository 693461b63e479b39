// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.value;

import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.YamlTree;
import io.longhaul.schema.SchemaCheck;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/** Finds mistakes in a well-formed JSON Schema of a file: references and regular expressions. */
public final class SchemaMistakes {
    private final FileFields file;
    private final JsonNode root;

    private SchemaMistakes(FileFields file, JsonNode root) {
        this.file = file;
        this.root = root;
    }

    static void at(String schema, FileFields file) {
        var root = file.node(schema);
        new SchemaMistakes(file, root).walk(schema, root);
    }

    /** As {@link #at}, also for the defaults of a schema that the author wrote whole. */
    public static void whole(String schema, FileFields file) {
        at(schema, file);
        checkDefaults(schema, file.node(schema), file);
    }

    private static void checkDefaults(String at, JsonNode schema, FileFields file) {
        if (!schema.isObject()) {
            return;
        }
        checkDefault(at, schema, file);
        for (var word : List.of("properties", "$defs", "definitions", "patternProperties")) {
            schema.path(word)
                    .properties()
                    .forEach(inner ->
                            checkDefaults(YamlTree.below(at + "/" + word, inner.getKey()), inner.getValue(), file));
        }
        for (var word : List.of("items", "additionalProperties")) {
            checkDefaults(at + "/" + word, schema.path(word), file);
        }
        for (var word : List.of("allOf", "anyOf", "oneOf")) {
            for (int i = 0; i < schema.path(word).size(); i++) {
                checkDefaults(at + "/" + word + "/" + i, schema.path(word).path(i), file);
            }
        }
    }

    /** Reports a default that its schema does not allow. A schema with references is not checked: it is a part. */
    static void checkDefault(String at, JsonNode schema, FileFields file) {
        var value = schema.get("default");
        if (value == null || schema.toString().contains("\"$ref\"")) {
            return;
        }
        try {
            SchemaCheck.of(schema.toString())
                    .problem(value)
                    .ifPresent(problem -> file.wrong(
                            at + "/default",
                            "the default " + FileFields.quote(value.asString(value.toString())) + " does not fit: "
                                    + problem,
                            "Give one that its schema allows"));
        } catch (IllegalArgumentException e) {
            // The schema itself is wrong, which is reported elsewhere.
            return;
        }
    }

    private void walk(String at, JsonNode node) {
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            walk(at + "/" + i, node.get(i));
        }
        node.properties().forEach(field -> {
            var place = YamlTree.below(at, field.getKey());
            var value = field.getValue();
            if (field.getKey().equals("$ref") && value.isString()) {
                reference(place, value.stringValue());
            } else if (field.getKey().equals("pattern") && value.isString()) {
                file.regex(place);
            } else {
                walk(place, value);
            }
        });
    }

    private void reference(String at, String target) {
        if (!target.startsWith("#")) {
            var problem = FileFields.quote(target) + " leads out of the schema";
            file.wrong(at, problem, "Refer to a place within it, such as \"#/$defs/name\"");
        } else if (target.startsWith("#/")
                && root.at(pointer(target.substring(1))).isMissingNode()) {
            file.wrong(at, FileFields.quote(target) + " leads nowhere", "Define what it names, or correct the name");
        }
    }

    private static JsonPointer pointer(String fragment) {
        return JsonPointer.compile(URLDecoder.decode(fragment.replace("+", "%2B"), StandardCharsets.UTF_8));
    }
}
