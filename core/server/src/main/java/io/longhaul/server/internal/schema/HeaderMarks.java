// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.schema;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Checks the arguments that a schema marks with {@code x-mcp-header}: clients silently leave out tools whose marks are
 * wrong.
 */
public final class HeaderMarks {

    private static final String MARK = "x-mcp-header";
    private static final Set<String> TYPES = Set.of("string", "integer", "boolean");
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private final Set<String> names = new HashSet<>();

    private HeaderMarks() {}

    /** @throws IllegalArgumentException where clients would not accept a mark */
    static void check(JsonNode schema) {
        var marks = new HeaderMarks();
        marks.collect(schema);
        if (marks.names.size() != schema.findValues(MARK).size()) {
            throw new IllegalArgumentException("an " + MARK + " stands where no argument is: it must be on a property"
                    + " of the arguments, or of an object in them");
        }
    }

    private void collect(JsonNode schema) {
        for (var property : schema.path("properties").properties()) {
            JsonNode of = property.getValue();
            if (of.has(MARK)) {
                add(property.getKey(), of);
            } else {
                collect(of);
            }
        }
    }

    private void add(String argument, JsonNode of) {
        String header = of.path(MARK).asString("");
        if (!TOKEN.matcher(header).matches()) {
            throw new IllegalArgumentException("the " + MARK + " of '" + argument + "' must be the rest of a header's"
                    + " name, letters, digits and hyphens, not '" + header + "'");
        }
        if (!TYPES.contains(of.path("type").asString(""))) {
            throw new IllegalArgumentException(
                    "'" + argument + "' cannot be a header: only a string, an integer or a" + " boolean can");
        }
        if (!names.add(header.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("two arguments have the " + MARK + " '" + header + "'");
        }
    }
}
