// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Splits a checked value into its members or elements, one level deep. It only distinguishes strings and brackets from
 * other bytes, which costs a fraction of a parser. For one thread.
 */
final class RawValue {

    private final byte[] text;
    private int at;

    private RawValue(byte[] text) {
        this.text = text;
    }

    /** The members of an object, in the order of the text; of two members with one name the last. */
    static LinkedHashMap<String, Json> members(byte[] object) {
        return read(() -> new RawValue(object).members());
    }

    /** The member of an object with this name, the last of several; null where there is none. Copies no other one. */
    static @Nullable Json member(byte[] object, String name) {
        return read(() -> new RawValue(object).member(name)).orElse(null);
    }

    /** The first elements of an array, {@code most} of them. */
    static List<Json> elements(byte[] array, int most) {
        return read(() -> new RawValue(array).elements(most));
    }

    private static <T> T read(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("not the JSON that it should be", e);
        }
    }

    private LinkedHashMap<String, Json> members() {
        var members = new LinkedHashMap<String, Json>();
        expect('{', "a JSON object");
        while (peek() != '}') {
            var name = name();
            expect(':', "a colon behind a name");
            members.put(name, next());
            endOfItem('}');
        }
        return members;
    }

    private Optional<Json> member(String wanted) {
        Optional<Json> member = Optional.empty();
        expect('{', "a JSON object");
        while (peek() != '}') {
            boolean isWanted = name().equals(wanted);
            expect(':', "a colon behind a name");
            if (isWanted) {
                member = Optional.of(next());
            } else {
                skip();
            }
            endOfItem('}');
        }
        return member;
    }

    private List<Json> elements(int most) {
        var elements = new ArrayList<Json>();
        expect('[', "a JSON array");
        while (peek() != ']' && elements.size() < most) {
            elements.add(next());
            endOfItem(']');
        }
        return elements;
    }

    private void endOfItem(char end) {
        if (peek() != end) {
            expect(',', "a comma");
        }
    }

    private void expect(char c, String what) {
        if (peek() != c) {
            throw new IllegalArgumentException("not " + what);
        }
        at++;
    }

    /** The next byte that is not white space. */
    private byte peek() {
        while (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t') {
            at++;
        }
        return text[at];
    }

    /** The name of a member. Without an escape in it, its bytes are not copied. */
    private String name() {
        int end = peek() == '"' ? quoteOrBackslash(at + 1) : at;
        if (text[end] != '"') {
            return JsonReader.text(next());
        }
        var name = new String(text, at + 1, end - at - 1, StandardCharsets.UTF_8);
        at = end + 1;
        return name;
    }

    private Json next() {
        peek();
        var from = at;
        skip();
        return JsonReader.oneLine(text, from, at);
    }

    private void skip() {
        var first = peek();
        if (first == '"') {
            skipString();
        } else if (first == '{' || first == '[') {
            skipContainer();
        } else {
            skipScalar();
        }
    }

    private void skipString() {
        at = quoteOrBackslash(at + 1);
        while (text[at] == '\\') {
            at = quoteOrBackslash(at + 2);
        }
        at++;
    }

    private int quoteOrBackslash(int from) {
        return ByteScan.either(text, from, text.length, '"', '\\');
    }

    private void skipContainer() {
        var depth = 0;
        do {
            switch (text[at]) {
                case '"' -> {
                    skipString();
                    at--;
                }
                case '{', '[' -> depth++;
                case '}', ']' -> depth--;
                default -> {
                    // Neither a bracket nor a string.
                }
            }
            at++;
        } while (depth > 0);
    }

    private void skipScalar() {
        while (text[at] != ',' && text[at] != '}' && text[at] != ']' && text[at] > ' ') {
            at++;
        }
    }
}
