// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The names that the places of a tool's texts can use, and the names that they do use. */
final class Places {
    private final FileFields file;
    private final ObjectNode schema;
    private final boolean isUnknown;
    private final Set<String> known = new LinkedHashSet<>();
    private final Set<String> always = new LinkedHashSet<>();
    private final Set<String> used = new LinkedHashSet<>();

    /**
     * Takes the inputs of a tool.
     *
     * @param isUnknown whether some inputs of the file could not be read, so that no place can be reported as unknown
     */
    Places(FileFields file, ObjectNode schema, boolean isUnknown) {
        this.file = file;
        this.schema = schema;
        this.isUnknown = isUnknown;
        add("", schema);
    }

    /** Adds all properties of {@code schema}, and which of them always have a value. */
    void add(String prefix, ObjectNode more) {
        more.path("properties").properties().forEach(property -> {
            known.add(prefix + property.getKey());
            if (property.getValue().has("default")) {
                always.add(prefix + property.getKey());
            }
        });
        more.path("required").forEach(name -> always.add(prefix + name.asString("")));
    }

    /** The template at {@code at}, all of whose places are known. */
    Template template(String at, @Nullable String text) {
        var template = Template.parse(text == null ? "" : text);
        for (var place : template.slots()) {
            used.add(place);
            if (!isUnknown && !known.contains(place)) {
                file.mistakes()
                        .at(
                                at,
                                "{" + place + "} is no input of this tool",
                                (known.isEmpty() ? "It has no inputs." : Nearest.advice(place, known)) + " Write {{"
                                        + place + "}} where the braces are meant as such");
            }
        }
        return template;
    }

    /** Marks all inputs as used. */
    void useAll() {
        used.addAll(schema.path("properties").propertyNames());
    }

    /** Whether any text has this place. */
    boolean isUsed(String place) {
        return used.contains(place);
    }

    /** Whether a value of the template can be missing. */
    boolean canBeMissing(Template template) {
        return !always.containsAll(template.slots());
    }

    boolean isList(String place) {
        return "array".equals(schema.path("properties").path(place).path("type").asString(""));
    }

    /** The inputs of the tool that no place was filled with so far. */
    Set<String> unused() {
        return schema.path("properties").propertyNames().stream()
                .filter(name -> !used.contains(name))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
