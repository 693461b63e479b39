package io.longhaul.cli.config;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/** Looks whether what a JSON Schema refers to is there. */
final class SchemaReferences {
    private final JsonNode root;

    private SchemaReferences(JsonNode root) {
        this.root = root;
    }

    /** Fails on the first reference that leads out of the schema, or nowhere. */
    static void check(Entry schema) {
        new SchemaReferences(schema.json()).walk(schema);
    }

    private void walk(Entry entry) {
        if (entry.isList()) {
            entry.items().forEach(this::walk);
        } else if (entry.isMapping()) {
            entry.fields().forEach((name, value) -> {
                if (name.equals("$ref") && value.isScalar()) {
                    reference(value);
                } else {
                    walk(value);
                }
            });
        }
    }

    private void reference(Entry value) {
        var target = value.text();
        if (!target.startsWith("#")) {
            throw value.bad(
                    Entry.quote(target) + " leads out of the schema",
                    "Refer to a place within it, such as \"#/$defs/name\"");
        }
        if (target.startsWith("#/") && root.at(pointer(target.substring(1))).isMissingNode()) {
            throw value.bad(Entry.quote(target) + " leads nowhere", "Define what it names, or correct the name");
        }
    }

    private static JsonPointer pointer(String fragment) {
        return JsonPointer.compile(URLDecoder.decode(fragment.replace("+", "%2B"), StandardCharsets.UTF_8));
    }
}
