// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.json;

import io.longhaul.protocol.json.JsonException.Problem;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Refuses text that a JSON parser may accept: bytes that are not UTF-8, raw control characters, and escapes of unpaired
 * surrogates. One pass, without allocation for ASCII.
 */
final class TextCheck {

    private TextCheck() {}

    static void check(byte[] bytes) throws JsonException {
        var ascii = true;
        for (var i = 0; i < bytes.length; i++) {
            var b = bytes[i];
            if (b < 0) {
                ascii = false;
            } else if (b == '\\') {
                i = escape(bytes, i);
            } else if (b < ' ' && b != '\n' && b != '\r' && b != '\t') {
                throw new JsonException(Problem.SYNTAX, "raw control character at byte " + i);
            }
        }
        if (!ascii) {
            utf8(bytes);
        }
    }

    private static void utf8(byte[] bytes) throws JsonException {
        if (bytes.length >= 3 && (bytes[0] & 0xff) == 0xef && (bytes[1] & 0xff) == 0xbb && (bytes[2] & 0xff) == 0xbf) {
            throw new JsonException(Problem.ENCODING, "JSON must not begin with a byte order mark");
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
        } catch (CharacterCodingException e) {
            throw new JsonException(Problem.ENCODING, "not valid UTF-8");
        }
    }

    /** Returns the index of the last byte of the escape at {@code at}, or of both escapes of a surrogate pair. */
    private static int escape(byte[] bytes, int at) throws JsonException {
        var unit = unit(bytes, at);
        if (unit < 0) {
            return at + 1;
        }
        if (!Character.isSurrogate((char) unit)) {
            return at + 5;
        }
        var next = unit(bytes, at + 6);
        if (!Character.isHighSurrogate((char) unit) || next < 0 || !Character.isLowSurrogate((char) next)) {
            throw new JsonException(Problem.ENCODING, "half of a surrogate pair at byte " + at);
        }
        return at + 11;
    }

    /** The UTF-16 unit of a complete {@code \}{@code uXXXX} escape at {@code at}, or -1 where there is none. */
    private static int unit(byte[] bytes, int at) {
        if (at + 5 >= bytes.length || bytes[at] != '\\' || bytes[at + 1] != 'u') {
            return -1;
        }
        var unit = 0;
        for (var i = at + 2; i < at + 6; i++) {
            var digit = Character.digit(bytes[i], 16);
            if (digit < 0) {
                return -1;
            }
            unit = unit << 4 | digit;
        }
        return unit;
    }
}
