// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The header fields of a request. The fields are few: a linear search is faster than a map. Immutable.
 *
 * @param lines the fields in the order of their arrival
 */
public record Fields(List<Field> lines) {

    private static final boolean[] TOKEN = new boolean[128];

    static {
        for (var c = '!'; c < TOKEN.length; c++) {
            TOKEN[c] = Character.isLetterOrDigit(c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
        }
    }

    /** One line: a name as it was sent, and a value without surrounding white space. */
    public record Field(String name, String value) {}

    public Fields {
        lines = List.copyOf(lines);
    }

    /** Whether there is a field of this name, without regard to case. */
    public boolean contains(String name) {
        return first(name) != null;
    }

    /** The first value of a field, or null where there is none. */
    public @Nullable String first(String name) {
        for (var line : lines) {
            if (line.name().equalsIgnoreCase(name)) {
                return line.value();
            }
        }
        return null;
    }

    /**
     * The value of a field that has one, or null where there is none. "A recipient MUST NOT" combine several lines of
     * such a field, and to take one of them is a guess.
     *
     * @throws RepeatedFieldException where the field has more than one line
     */
    @Nullable
    public String single(String name) {
        var values = all(name);
        if (values.size() > 1) {
            throw new RepeatedFieldException(name);
        }
        return values.isEmpty() ? null : values.getFirst();
    }

    /** The value of each line of a field. */
    public List<String> all(String name) {
        var values = new ArrayList<String>(1);
        for (var line : lines) {
            if (line.name().equalsIgnoreCase(name)) {
                values.add(line.value());
            }
        }
        return values;
    }

    /** The name of a field of more than one line whose name begins with {@code prefix}, or null where there is none. */
    @Nullable
    public String repeated(String prefix) {
        var seen = new TreeSet<String>(String.CASE_INSENSITIVE_ORDER);
        for (var line : lines) {
            boolean isMeant = line.name().regionMatches(true, 0, prefix, 0, prefix.length());
            if (isMeant && !seen.add(line.name())) {
                return line.name();
            }
        }
        return null;
    }

    /** The elements of a field that is a list, in lower case. */
    public List<String> list(String name) {
        var elements = new ArrayList<String>();
        for (var value : all(name)) {
            for (var element : value.split(",")) {
                if (!element.isBlank()) {
                    elements.add(element.strip().toLowerCase(Locale.ROOT));
                }
            }
        }
        return elements;
    }

    /** These fields with a single value for {@code name}. */
    public Fields with(String name, String value) {
        var changed = new ArrayList<>(lines);
        changed.removeIf(line -> line.name().equalsIgnoreCase(name));
        changed.add(new Field(name, value));
        return new Fields(changed);
    }

    /** Whether {@code text} is a token: the syntax of method and field names. */
    public static boolean isToken(String text) {
        for (var i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= TOKEN.length || !TOKEN[text.charAt(i)]) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /** Whether {@code text} can be the value of a field: it has no control characters but tabs. */
    public static boolean isValue(String text) {
        for (var i = 0; i < text.length(); i++) {
            var c = text.charAt(i);
            if (c < ' ' && c != '\t' || c == 0x7f) {
                return false;
            }
        }
        return true;
    }
}
