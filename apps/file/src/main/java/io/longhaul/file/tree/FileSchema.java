// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.tree;

import io.longhaul.file.text.SimilarWord;
import io.longhaul.schema.Breach;
import io.longhaul.schema.SchemaCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON Schema of a file of tools, {@code longhaul.schema.json}, which editors use, too. Violations are told in the
 * words of {@code errorMessage}, which every part of the schema with checked keywords has:
 * {@code must be SUCH. DO THIS}. {@code x-elsewhere} has the names that other programs give to a field.
 */
public final class FileSchema {
    private static final String NAME = "longhaul.schema.json";
    static final JsonNode SCHEMA = JsonMapper.shared().readTree(text());

    private final YamlTree tree;
    private final Mistakes mistakes;

    private FileSchema(YamlTree tree, Mistakes mistakes) {
        this.tree = tree;
        this.mistakes = mistakes;
    }

    /** Reports all values that the schema does not allow, and removes them from the tree. */
    public static void check(YamlTree tree, Mistakes mistakes) {
        var found = breaches(tree);
        var check = new FileSchema(tree, mistakes);
        var told = new HashSet<String>();
        found.stream().filter(breach -> told.add(place(breach))).forEach(check::tell);
        found.forEach(check::takeOut);
        if (!tree.root().isObject()) {
            mistakes.refuse();
        }
    }

    private static List<Breach> breaches(YamlTree tree) {
        try {
            return SchemaCheck.ofOwn(SCHEMA).breaches(tree.root());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    Mistake.of(tree.file(), "the file is too large to be checked", "Make several files of it"));
        }
    }

    public static String text() {
        try (var in = FileSchema.class.getResourceAsStream(NAME)) {
            if (in == null) {
                throw new IllegalStateException(NAME + " is not among the classes of this program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The place of a violation. Each place is reported once, because one mistake may violate several keywords. */
    private static String place(Breach breach) {
        return breach.property() == null ? breach.value() : YamlTree.below(breach.value(), breach.property());
    }

    private static String keyword(Breach breach) {
        return breach.keyword().substring(breach.keyword().lastIndexOf('/') + 1);
    }

    /** The schema with the keyword; for a conditional keyword, the schema with the condition. */
    private static JsonNode around(Breach breach) {
        var place = breach.keyword().substring(0, breach.keyword().lastIndexOf('/'));
        return SCHEMA.at(place.endsWith("/then") ? place.substring(0, place.lastIndexOf('/')) : place);
    }

    private void tell(Breach breach) {
        var schema = around(breach);
        switch (keyword(breach)) {
            case "required" -> missing(breach, schema);
            case "additionalProperties" ->
                mistakes.atName(
                        place(breach),
                        "is no field that Longhaul knows here",
                        meant(breach.property(), schema)
                                .map(name -> "Did you mean " + name + "?")
                                .orElseGet(() -> SimilarWord.advice(breach.property(), fields(schema))));
            case "propertyNames" -> {
                var names = resolved(schema.path("propertyNames"));
                mistakes.atName(place(breach), must(names) + FileFields.quote(breach.property()), fix(names));
            }
            case "minItems", "minProperties" -> mistakes.at(breach.value(), "is empty", fix(schema));
            default -> mistakes.at(breach.value(), must(schema) + kind(breach), advice(breach, schema));
        }
    }

    private static Collection<String> fields(JsonNode schema) {
        return schema.path("properties").propertyNames();
    }

    /** The field that a name stands for: one that other programs call so, or one with nearly that name. */
    private static Optional<String> meant(String name, JsonNode schema) {
        var plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
        return schema.path("properties").properties().stream()
                .filter(field -> field.getValue()
                        .path("x-elsewhere")
                        .valueStream()
                        .anyMatch(other ->
                                other.asString("").toLowerCase(Locale.ROOT).equals(plain)))
                .map(Map.Entry::getKey)
                .findFirst()
                .or(() -> SimilarWord.to(name, fields(schema)));
    }

    private static JsonNode resolved(JsonNode schema) {
        return schema.has("$ref") ? SCHEMA.at(schema.path("$ref").stringValue().substring(1)) : schema;
    }

    /** Reports a missing field, unless another field has nearly its name. */
    private void missing(Breach breach, JsonNode schema) {
        var name = breach.property();
        var known = fields(schema);
        boolean isMisspelt = tree.root().at(breach.value()).propertyNames().stream()
                .filter(other -> !known.contains(other))
                .anyMatch(other -> meant(other, schema).filter(name::equals).isPresent());
        if (!isMisspelt) {
            var example = schema.at("/properties/" + name + "/examples/0");
            mistakes.at(breach.value(), "has no " + name, "Add it, such as " + name + ": " + example);
        }
    }

    /** The beginning of {@code errorMessage}, for any value. */
    private static String must(JsonNode schema) {
        var message = schema.path("errorMessage").asString("");
        return message.substring(0, message.indexOf(". ")) + ", but is ";
    }

    private static String fix(JsonNode schema) {
        var message = schema.path("errorMessage").asString("");
        return message.substring(message.indexOf(". ") + 2);
    }

    /** The advice for a wrong value: the allowed word that its first word nearly matches, if any. */
    private String advice(Breach breach, JsonNode schema) {
        var words = new ArrayList<String>();
        schema.path(schema.has("enum") ? "enum" : "x-words").forEach(word -> words.add(word.asString()));
        var written = tree.written(breach.value()).orElse("").strip().split("[^A-Za-z]", 2)[0];
        return SimilarWord.to(written, words)
                .filter(near -> !near.equals(written))
                .map(near -> "Did you mean " + near + "?")
                .orElse(fix(schema));
    }

    private String kind(Breach breach) {
        var node = tree.root().at(breach.value());
        if (node.isObject()) {
            return "a mapping";
        }
        if (node.isArray()) {
            return "a list";
        }
        return node.isNull()
                ? "empty"
                : FileFields.quote(tree.written(breach.value()).orElse(""));
    }

    private void takeOut(Breach breach) {
        if (!keyword(breach).equals("required")) {
            mistakes.takeOut(place(breach));
        }
    }
}
