// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.StringJoiner;
import tools.jackson.databind.JsonNode;

/** How a list or an object stands in a query or a form. Styles have the names of OpenAPI. */
public enum PartStyle {
    /** A list gives a field for each item, and an object is JSON. */
    EACH(""),
    /** As {@link #EACH}, and each member of an object is a field of its own. */
    FORM(""),
    COMMA(","),
    SPACE("%20"),
    PIPE("%7C"),
    /** Each member of an object is a field {@code name[member]}. */
    DEEP("");

    private final String between;

    PartStyle(String between) {
        this.between = between;
    }

    /** @throws IllegalArgumentException where there is no such style */
    public static PartStyle of(String style, boolean isExploded) {
        return switch (style) {
            case "form" -> isExploded ? FORM : COMMA;
            case "spaceDelimited" -> isExploded ? FORM : SPACE;
            case "pipeDelimited" -> isExploded ? FORM : PIPE;
            case "deepObject" -> DEEP;
            default ->
                throw new IllegalArgumentException(
                        "'" + style + "' is no style of these: form, spaceDelimited, pipeDelimited, deepObject");
        };
    }

    /** Adds the fields of a value to a form. */
    void add(String name, JsonNode value, StringJoiner form) {
        if (!between.isEmpty() && value.isContainer()) {
            form.add(encoded(name) + "=" + joined(value, between));
        } else if (value.isArray() && this != DEEP) {
            value.forEach(item -> form.add(encoded(name) + "=" + encoded(item)));
        } else if (this == DEEP && value.isContainer()) {
            deep(name, value, form);
        } else if (value.isObject() && this == FORM) {
            value.properties().forEach(member -> EACH.add(member.getKey(), member.getValue(), form));
        } else {
            form.add(encoded(name) + "=" + encoded(value));
        }
    }

    private void deep(String name, JsonNode value, StringJoiner form) {
        value.properties().forEach(member -> add(name + "[" + member.getKey() + "]", member.getValue(), form));
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            add(name + "[" + (value.get(i).isContainer() ? i : "") + "]", value.get(i), form);
        }
    }

    /** The items of a list, or the names and values of an object, each percent-encoded. */
    static String joined(JsonNode value, String between) {
        var joined = new StringJoiner(between);
        if (value.isArray()) {
            value.forEach(item -> joined.add(encoded(item)));
        }
        value.properties()
                .forEach(member -> joined.add(encoded(member.getKey())).add(encoded(member.getValue())));
        return joined.toString();
    }

    private static String encoded(JsonNode value) {
        return encoded(TemplateValues.asText(value));
    }

    /** The value, percent-encoded by RFC 3986: no character keeps a special meaning. */
    static String encoded(String value) {
        return URLEncoder.encode(value, UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~");
    }
}
