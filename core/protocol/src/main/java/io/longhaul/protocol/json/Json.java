// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One JSON value as raw UTF-8 bytes on a single line. Params and results are spliced into messages and stores without
 * being bound to objects. Immutable; the creator guarantees that the bytes are well-formed, and must not change them
 * afterwards.
 */
public final class Json {

    /** The empty object. */
    public static final Json EMPTY_OBJECT = raw("{}");

    /** The kind of a value. */
    public enum Kind {
        OBJECT,
        ARRAY,
        STRING,
        NUMBER,
        BOOLEAN,
        NULL
    }

    private final byte[] bytes;

    /** Computed at the first use; two threads at once compute equal members. */
    private @Nullable JsonMembers members;

    private Json(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Wraps well-formed JSON without looking at it. */
    public static Json raw(byte[] bytes) {
        return new Json(bytes);
    }

    /** Wraps well-formed JSON without looking at it. */
    public static Json raw(String text) {
        return new Json(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The bytes, not copied; the caller must not change them. */
    public byte[] bytes() {
        return bytes;
    }

    /** The kind of the value, by its first byte. */
    public Kind kind() {
        return switch (bytes[0]) {
            case '{' -> Kind.OBJECT;
            case '[' -> Kind.ARRAY;
            case '"' -> Kind.STRING;
            case 't', 'f' -> Kind.BOOLEAN;
            case 'n' -> Kind.NULL;
            default -> Kind.NUMBER;
        };
    }

    /** Whether the value is a number of any size that is written as an integer. */
    public boolean isInteger() {
        int first = bytes[0] == '-' ? 1 : 0;
        for (int i = first; i < bytes.length; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') {
                return false;
            }
        }
        return true;
    }

    /** The value of a number that is written as an integer and fits, else null. */
    public @Nullable Long asLong() {
        if (bytes.length > 20 || kind() != Kind.NUMBER) {
            return null;
        }
        try {
            return Long.valueOf(toString());
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The members of an object. */
    JsonMembers members() {
        var known = members;
        if (known == null) {
            known = new JsonMembers(RawValue.members(bytes));
            members = known;
        }
        return known;
    }

    /** The member of an object with this name, or null. */
    @Nullable
    Json member(String name) {
        var known = members;
        return known == null ? RawValue.member(bytes, name) : known.get(name);
    }

    /** Number of bytes. */
    public int size() {
        return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Json that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The JSON text. */
    @Override
    public String toString() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
