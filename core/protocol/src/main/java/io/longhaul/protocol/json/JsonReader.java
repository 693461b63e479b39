// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.json;

import io.longhaul.protocol.json.JsonException.Problem;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads JSON strictly, one level at a time: the values inside stay raw. The reader checks the whole text to its last
 * byte: UTF-8, names used twice in an object, depth, and text after the value. Thread-safe.
 */
public final class JsonReader {

    private static final int NO_LIMIT = Integer.MAX_VALUE;

    /** For strings that were checked before. */
    private static final JsonFactory STRINGS = new JsonFactory();

    private final JsonFactory factory;
    private final int maxBytes;
    private final int maxDepth;

    /**
     * Makes a reader with limits.
     *
     * @param maxBytes of one text
     * @param maxDepth the nesting of objects and arrays
     */
    public JsonReader(int maxBytes, int maxDepth) {
        this.maxBytes = maxBytes;
        this.maxDepth = maxDepth;
        this.factory = JsonFactory.builder()
                .configure(StreamReadFeature.STRICT_DUPLICATE_DETECTION, true)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(maxDepth)
                        .maxStringLength(NO_LIMIT)
                        .maxNameLength(NO_LIMIT)
                        .build())
                .build();
    }

    /** Checks a text from outside and returns it as one raw value on a single line. */
    public Json value(byte[] text) throws JsonException {
        check(text);
        try (var parser = open(text)) {
            parser.nextToken();
            var value = slice(parser, text);
            end(parser);
            return value;
        } catch (JacksonException e) {
            throw explain(e);
        }
    }

    /**
     * Checks a text from outside and reads the members of its object.
     *
     * @param members gets the members; members before a fault stay in the map
     * @return false where the text is valid JSON but not an object
     */
    public boolean object(byte[] text, LinkedHashMap<String, Json> members) throws JsonException {
        check(text);
        var inside = false;
        try (var parser = open(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                slice(parser, text);
                end(parser);
                return false;
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                var name = parser.currentName();
                inside = true;
                parser.nextToken();
                members.put(name, slice(parser, text));
                inside = false;
            }
            end(parser);
            return true;
        } catch (JacksonException e) {
            if (!inside) {
                members.clear();
            }
            throw explain(e);
        }
    }

    /**
     * The members of a checked raw value, computed once for each value.
     *
     * @throws IllegalArgumentException where it is no object
     */
    public static JsonMembers members(Json object) {
        return object.members();
    }

    /**
     * One member of a checked raw value, null where the object has none of this name. The other members are not copied.
     *
     * @throws IllegalArgumentException where the value is no object
     */
    public static @Nullable Json member(Json object, String name) {
        return object.member(name);
    }

    /**
     * The elements of a checked raw value.
     *
     * @throws IllegalArgumentException where it is no array
     */
    public static List<Json> elements(Json array) {
        return elements(array, Integer.MAX_VALUE);
    }

    /**
     * The first elements of a checked raw value.
     *
     * @param most how many of them
     * @throws IllegalArgumentException where it is no array
     */
    public static List<Json> elements(Json array, int most) {
        return RawValue.elements(array.bytes(), most);
    }

    /** The text of a checked raw string. */
    public static String text(Json string) {
        var bytes = string.bytes();
        if (string.kind() != Json.Kind.STRING) {
            throw new IllegalArgumentException("not a JSON string");
        }
        return ByteScan.either(bytes, 0, bytes.length, '\\', '\\') < bytes.length
                ? unescaped(bytes)
                : new String(bytes, 1, bytes.length - 2, StandardCharsets.UTF_8);
    }

    /** A value as text for people: a string as its characters, everything else as JSON. */
    public static String shown(Json value) {
        return value.kind() == Json.Kind.STRING ? text(value) : value.toString();
    }

    private static String unescaped(byte[] string) {
        try (var parser = STRINGS.createParser(ObjectReadContext.empty(), string)) {
            parser.nextToken();
            return parser.getString();
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not the JSON that it should be");
        }
    }

    private void check(byte[] text) throws JsonException {
        if (text.length > maxBytes) {
            throw new JsonException(Problem.TOO_LARGE, "larger than the limit of " + maxBytes + " bytes");
        }
        TextCheck.check(text);
    }

    private JsonParser open(byte[] text) {
        return factory.createParser(ObjectReadContext.empty(), text);
    }

    /** Reads the current value of the parser, and moves past it. */
    private static Json slice(JsonParser parser, byte[] text) throws JsonException {
        var token = parser.currentToken();
        if (token == null) {
            throw new JsonException(Problem.SYNTAX, "no JSON at all");
        }
        var start = (int) parser.currentTokenLocation().getByteOffset();
        if (token.isStructStart()) {
            parser.skipChildren();
        }
        parser.finishToken();
        return oneLine(text, start, (int) parser.currentLocation().getByteOffset());
    }

    /** Removes line breaks. They only occur between tokens that punctuation separates. */
    static Json oneLine(byte[] text, int from, int to) {
        if (ByteScan.either(text, from, to, '\n', '\r') == to) {
            return Json.raw(Arrays.copyOfRange(text, from, to));
        }
        var line = new ByteArrayOutputStream(to - from);
        for (var i = from; i < to; i++) {
            if (text[i] != '\n' && text[i] != '\r') {
                line.write(text[i]);
            }
        }
        return Json.raw(line.toByteArray());
    }

    private static void end(JsonParser parser) throws JsonException {
        var more = true;
        try {
            more = parser.nextToken() != null;
        } catch (JacksonException e) {
            // The text after the value is not JSON.
        }
        if (more) {
            throw new JsonException(Problem.TRAILING, "something follows the JSON value");
        }
    }

    private JsonException explain(JacksonException e) {
        var where = e.getLocation() == null ? "" : " at byte " + e.getLocation().getByteOffset();
        var message = e.getOriginalMessage();
        if (e instanceof StreamConstraintsException) {
            return message.contains("nesting depth")
                    ? new JsonException(Problem.TOO_DEEP, "nested deeper than the limit of " + maxDepth)
                    : new JsonException(Problem.TOO_LARGE, "a number is longer than the limit" + where);
        }
        return message.startsWith("Duplicate")
                ? new JsonException(Problem.DUPLICATE_MEMBER, "an object has a member twice" + where)
                : new JsonException(Problem.SYNTAX, "not JSON" + where);
    }
}
