package io.longhaul.transport.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The header fields of a request. Immutable.
 *
 * @param values by name in lower case, in the order in which they came
 */
record Fields(Map<String, List<String>> values) {

    private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

    Fields {
        values = Map.copyOf(values);
    }

    boolean contains(String name) {
        return !all(name).isEmpty();
    }

    /** The first value of a field, or null where there is none. */
    @Nullable
    String first(String name) {
        var all = all(name);
        return all.isEmpty() ? null : all.getFirst();
    }

    /** The value of each line of a field. */
    List<String> all(String name) {
        return values.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
    }

    /** The elements of a field that is a list, in lower case. */
    List<String> list(String name) {
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

    /** These with one value alone for {@code name}. */
    Fields with(String name, String value) {
        var changed = new HashMap<>(values);
        changed.put(name, List.of(value));
        return new Fields(changed);
    }

    /** Whether {@code text} is a token, as names of methods and fields are. */
    static boolean isToken(String text) {
        return !text.isEmpty()
                && text.chars()
                        .allMatch(c -> c >= 'a' && c <= 'z'
                                || c >= 'A' && c <= 'Z'
                                || c >= '0' && c <= '9'
                                || TOKEN_MARKS.indexOf(c) >= 0);
    }

    /** Whether {@code text} can be the value of a field: it has no control characters but tabs. */
    static boolean isValue(String text) {
        return text.chars().noneMatch(c -> c < ' ' && c != '\t' || c == 0x7f);
    }
}
