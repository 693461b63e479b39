// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.openapi;

import io.longhaul.file.tree.ConfigException;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.Mistakes;
import io.longhaul.file.tree.YamlReader;
import io.longhaul.file.tree.YamlTree;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** An OpenAPI document with the files that it refers to, all in its folder. Nothing is fetched. */
final class ApiDocument {
    private static final int MOST_FILES = 200;
    private static final int MOST_REFERENCES = 50;

    private final Path folder;
    private final Mistakes mistakes;
    private final Map<Path, Optional<YamlTree>> files = new HashMap<>();
    private final Place root;

    /**
     * A value of a document.
     *
     * @param node missing where there is none
     */
    record Place(YamlTree tree, String pointer, JsonNode node) {
        static Place of(YamlTree tree, String pointer) {
            return new Place(tree, pointer, tree.root().at(pointer));
        }

        /** The place as a text. */
        String key() {
            return tree.file() + "#" + pointer;
        }

        Place at(String... names) {
            var to = this;
            for (var name : names) {
                var member = YamlTree.below("", name);
                to = new Place(tree, to.pointer + member, to.node.at(member));
            }
            return to;
        }

        String text(String name) {
            return node().path(name).asString("");
        }

        /** The members by their names. */
        Map<String, Place> members() {
            var members = new LinkedHashMap<String, Place>();
            node().propertyNames().forEach(name -> members.put(name, at(name)));
            for (int i = 0; i < node().size() && node().isArray(); i++) {
                members.put(String.valueOf(i), at(String.valueOf(i)));
            }
            return members;
        }
    }

    /** @throws ConfigException where the file is no document */
    ApiDocument(Path file, Mistakes mistakes) {
        this.mistakes = mistakes;
        folder = real(file.getParent());
        var tree = YamlReader.readDocument(file);
        files.put(real(file), Optional.of(tree));
        root = Place.of(tree, "");
    }

    /** The files that were read. */
    Set<Path> files() {
        return files.keySet();
    }

    Place root() {
        return root;
    }

    /** Whether schemas are those of OpenAPI 3.0. */
    boolean isOld() {
        return root.text("openapi").startsWith("3.0");
    }

    void wrong(Place at, String problem, String fix) {
        mistakes.add(at.tree().mistake(at.pointer(), problem, fix));
    }

    void warn(Place at, String problem, String fix) {
        mistakes.addWarning(at.tree().mistake(at.pointer(), problem, fix));
    }

    /** The value that a place leads to by references; one that leads nowhere is a mistake, and its place is empty. */
    Place resolved(Place place) {
        var at = place;
        for (int i = 0; at.node().path("$ref").isString(); i++) {
            if (i == MOST_REFERENCES) {
                wrong(place, "refers to itself", "Refer to a value");
                return place.at("$ref", "nowhere");
            }
            at = target(at);
        }
        return at;
    }

    /** The place that the reference at a place names. */
    Place target(Place reference) {
        var text = reference.text("$ref");
        int hash = text.indexOf('#');
        var file = hash < 0 ? text : text.substring(0, hash);
        var pointer = hash < 0 ? "" : decoded(text.substring(hash + 1));
        var tree = file.isEmpty() ? Optional.of(reference.tree()) : other(reference, file);
        var found = tree.filter(other -> pointer.isEmpty() || pointer.startsWith("/"))
                .map(other -> Place.of(other, pointer))
                .filter(target -> !target.node().isMissingNode());
        if (found.isEmpty() && tree.isPresent()) {
            var problem = FileFields.quote(text) + " leads nowhere";
            wrong(reference.at("$ref"), problem, "Define what it names, or correct the name");
        }
        return found.orElseGet(() -> reference.at("$ref", "nowhere"));
    }

    /** A fragment without its escapes; as it is written where they are none. */
    private static String decoded(String fragment) {
        try {
            return URLDecoder.decode(fragment.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return fragment;
        }
    }

    private Optional<YamlTree> other(Place reference, String name) {
        var at = reference.at("$ref");
        if (name.contains(":")) {
            var fix = "Save it beside the document, and refer to the file: no document is fetched";
            wrong(at, FileFields.quote(name) + " is not in the folder of the document", fix);
            return Optional.empty();
        }
        var file = real(Path.of(reference.tree().file()).resolveSibling(name));
        if (!file.startsWith(folder)) {
            wrong(at, FileFields.quote(name) + " is not in the folder of the document", "Copy it there");
            return Optional.empty();
        }
        if (files.size() == MOST_FILES && !files.containsKey(file)) {
            wrong(at, "is the file after the first " + MOST_FILES, "Bundle the document into one file");
            return Optional.empty();
        }
        return files.computeIfAbsent(file, path -> {
            try {
                return Optional.of(YamlReader.readDocument(path));
            } catch (ConfigException e) {
                e.mistakes().forEach(mistakes::add);
                return Optional.empty();
            }
        });
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path.toAbsolutePath().normalize();
        }
    }
}
