// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.json;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Finds bytes in a text. Behind the first bytes of a search it compares eight bytes at once, which takes a fifth of
 * the time for a long string.
 */
final class ByteScan {

    private static final int NEAR = 64;
    private static final long EACH = 0x0101010101010101L;
    private static final long HIGH = 0x8080808080808080L;

    private ByteScan() {}

    /** The index of the first of two bytes, {@code to} where the text before {@code to} has neither. */
    static int either(byte[] text, int from, int to, char one, char other) {
        int near = Math.min(to, from + NEAR);
        int at = from;
        while (at < near && text[at] != one && text[at] != other) {
            at++;
        }
        if (at < near || at >= to) {
            return at;
        }
        var wide = ByteBuffer.wrap(text).order(ByteOrder.LITTLE_ENDIAN);
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long eight = wide.getLong(at);
            long found = equal(eight, one) | equal(eight, other);
            if (found != 0) {
                return first(at, found);
            }
        }
        while (at < to && text[at] != one && text[at] != other) {
            at++;
        }
        return at;
    }

    /** The index of the first byte that a JSON string has to escape, or the length of the text. */
    static int escape(byte[] text, int from) {
        var wide = ByteBuffer.wrap(text).order(ByteOrder.LITTLE_ENDIAN);
        int at = from;
        for (; at <= text.length - Long.BYTES; at += Long.BYTES) {
            long eight = wide.getLong(at);
            long found = equal(eight, '"') | equal(eight, '\\') | (eight - EACH * ' ') & ~eight & HIGH;
            if (found != 0) {
                return first(at, found);
            }
        }
        while (at < text.length && !isEscaped(text[at])) {
            at++;
        }
        return at;
    }

    private static boolean isEscaped(byte b) {
        return b >= 0 && b < ' ' || b == '"' || b == '\\';
    }

    /** Has the high bit of each byte that equals {@code c}. A bit may be wrong behind the first one that is set. */
    private static long equal(long eight, char c) {
        long difference = eight ^ EACH * c;
        return difference - EACH & ~difference & HIGH;
    }

    private static int first(int at, long found) {
        return at + Long.numberOfTrailingZeros(found) / Byte.SIZE;
    }
}
