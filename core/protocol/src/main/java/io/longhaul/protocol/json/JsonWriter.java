// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON on one line, and splices raw values as they are. The writer adds commas; the caller must match brackets
 * and write names where they belong. For use by one thread.
 */
public final class JsonWriter {

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    /** Characters of a string that is written without a copy. */
    private static final int SHORT = 64;

    private byte[] buffer;
    private int size;
    private boolean comma;

    public JsonWriter() {
        this(256);
    }

    /** Makes a writer with room for about so many bytes. */
    public JsonWriter(int bytes) {
        this.buffer = new byte[bytes];
    }

    /** Begins an object by itself, which {@link #end} ends. */
    public static JsonWriter object() {
        return new JsonWriter().beginObject();
    }

    /** Begins an object by itself, with room for about so many bytes. */
    public static JsonWriter object(int bytes) {
        return new JsonWriter(bytes).beginObject();
    }

    public JsonWriter beginObject() {
        return open('{');
    }

    public JsonWriter endObject() {
        return close('}');
    }

    public JsonWriter beginArray() {
        return open('[');
    }

    public JsonWriter endArray() {
        return close(']');
    }

    /** Writes the name of the next member. */
    public JsonWriter name(String name) {
        separate();
        quoted(name);
        put((byte) ':');
        comma = false;
        return this;
    }

    public JsonWriter string(String value) {
        separate();
        quoted(value);
        return done();
    }

    /** Writes a string of characters that need no escapes. */
    public JsonWriter plain(byte[] ascii) {
        separate();
        put((byte) '"');
        put(ascii, 0, ascii.length);
        put((byte) '"');
        return done();
    }

    public JsonWriter number(long value) {
        separate();
        if (value < 0) {
            ascii(Long.toString(value));
        } else {
            digits(value);
        }
        return done();
    }

    /** Writes a finite number; without a fraction where it has none. */
    public JsonWriter number(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            return number((long) value);
        }
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("JSON has no " + value);
        }
        separate();
        ascii(Double.toString(value));
        return done();
    }

    public JsonWriter bool(boolean value) {
        separate();
        ascii(value ? "true" : "false");
        return done();
    }

    public JsonWriter nothing() {
        separate();
        ascii("null");
        return done();
    }

    /** Splices a value as it is. */
    public JsonWriter raw(Json value) {
        separate();
        put(value.bytes(), 0, value.size());
        return done();
    }

    /** A member with its name and its value. */
    public JsonWriter member(String name, String value) {
        return name(name).string(value);
    }

    /** A member whose value is spliced as it is. */
    public JsonWriter member(String name, Json value) {
        return name(name).raw(value);
    }

    public JsonWriter member(String name, long value) {
        return name(name).number(value);
    }

    public JsonWriter member(String name, double value) {
        return name(name).number(value);
    }

    public JsonWriter member(String name, boolean value) {
        return name(name).bool(value);
    }

    /** A member, where there is a value. */
    public JsonWriter optional(String name, @Nullable String value) {
        return value == null ? this : member(name, value);
    }

    /** A member, where there is a value. */
    public JsonWriter optional(String name, @Nullable Json value) {
        return value == null ? this : member(name, value);
    }

    /** A member, where there is a value. */
    public JsonWriter optional(String name, @Nullable Double value) {
        return value == null ? this : member(name, value);
    }

    /** Splices the members of a raw object into the object that is being written. */
    public JsonWriter members(Json object) {
        var bytes = object.bytes();
        var from = skipSpace(bytes, 1, 1);
        var to = skipSpace(bytes, bytes.length - 2, -1);
        if (from <= to) {
            separate();
            put(bytes, from, to - from + 1);
            comma = true;
        }
        return this;
    }

    /** Splices the members of an object except those with these names. */
    public JsonWriter membersBut(Set<String> names, JsonMembers object) {
        object.asMap().forEach((name, value) -> {
            if (!names.contains(name)) {
                member(name, value);
            }
        });
        return this;
    }

    /** Ends an object that {@link #object} began, and gives it. */
    public Json end() {
        return endObject().toJson();
    }

    /** The written text, as one value. */
    public Json toJson() {
        return Json.raw(size == buffer.length ? buffer : Arrays.copyOf(buffer, size));
    }

    /** A string as a JSON value. */
    public static Json quote(String value) {
        return new JsonWriter(value.length() + 16).string(value).toJson();
    }

    private static int skipSpace(byte[] bytes, int from, int step) {
        var i = from;
        while (i > 0 && i < bytes.length - 1 && bytes[i] <= ' ' && bytes[i] >= 0) {
            i += step;
        }
        return i;
    }

    private JsonWriter open(char bracket) {
        separate();
        put((byte) bracket);
        comma = false;
        return this;
    }

    private JsonWriter close(char bracket) {
        put((byte) bracket);
        return done();
    }

    private JsonWriter done() {
        comma = true;
        return this;
    }

    private void separate() {
        if (comma) {
            put((byte) ',');
        }
    }

    private void quoted(String value) {
        reserve(value.length() + 2);
        put((byte) '"');
        int plain = value.length() > SHORT ? 0 : plain(value);
        if (plain < value.length()) {
            // An unpaired surrogate becomes the replacement character.
            escaped(value.substring(plain).getBytes(StandardCharsets.UTF_8));
        }
        put((byte) '"');
    }

    /**
     * Writes the text before the first character that needs an escape or more than one byte; returns the index of that
     * character.
     */
    private int plain(String value) {
        byte[] to = buffer;
        int from = size;
        int length = value.length();
        int i = 0;
        while (i < length) {
            char c = value.charAt(i);
            if (c < ' ' || c >= 0x80 || c == '"' || c == '\\') {
                break;
            }
            to[from + i] = (byte) c;
            i++;
        }
        size = from + i;
        return i;
    }

    private void escaped(byte[] text) {
        for (int at = 0; at < text.length; at++) {
            int escape = ByteScan.escape(text, at);
            put(text, at, escape - at);
            at = escape;
            if (at < text.length) {
                escape(text[at]);
            }
        }
    }

    private void escape(byte c) {
        if (c >= ' ') {
            put((byte) '\\');
            put(c);
        } else if (c >= '\b' && c <= '\r' && c != 0x0b) {
            put((byte) '\\');
            put((byte) "btn?fr".charAt(c - '\b'));
        } else {
            ascii("\\u00");
            put(HEX[c >> 4]);
            put(HEX[c & 15]);
        }
    }

    private void ascii(String text) {
        for (var i = 0; i < text.length(); i++) {
            put((byte) text.charAt(i));
        }
    }

    /** Writes digits in place: strings of numbers would be a tenth of the cost of a list of tasks. */
    private void digits(long value) {
        int length = 1;
        for (long rest = value / 10; rest > 0; rest /= 10) {
            length++;
        }
        reserve(length);
        long rest = value;
        for (int at = size + length - 1; at >= size; at--) {
            buffer[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        size += length;
    }

    private void put(byte b) {
        reserve(1);
        buffer[size++] = b;
    }

    private void put(byte[] bytes, int from, int length) {
        reserve(length);
        System.arraycopy(bytes, from, buffer, size, length);
        size += length;
    }

    private void reserve(int more) {
        if (size + more > buffer.length) {
            // Behind a long string there is room for its end.
            buffer = Arrays.copyOf(buffer, Math.max(size + more + 64, size * 2));
        }
    }
}
