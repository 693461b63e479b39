// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.handshake;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The first request of a host and its answer, each without the id, because some hosts choose a new id at each start.
 * Two requests are the same where all bytes except those of the id are equal.
 *
 * @param before the bytes of the request before its id
 * @param after  the bytes of the request after its id
 * @param answer the bytes of the answer after the id
 */
record KnownHandshake(byte[] before, byte[] after, byte[] answer) {
    static final byte[] ANSWER_START = "{\"jsonrpc\":\"2.0\",\"id\":".getBytes(StandardCharsets.US_ASCII);

    private static final int LONGEST_TEXT = 100;
    private static final int LONGEST_NUMBER = 15;

    /** The answer to a line, both without a line end; null where the line is not this request. */
    byte @Nullable [] answerTo(byte[] line) {
        int end = line.length - after.length;
        boolean isSame = end > before.length
                && Arrays.equals(line, 0, before.length, before, 0, before.length)
                && Arrays.equals(line, end, line.length, after, 0, after.length)
                && isPlainId(line, before.length, end);
        if (!isSame) {
            return null;
        }
        int id = end - before.length;
        var all = Arrays.copyOf(ANSWER_START, ANSWER_START.length + id + answer.length);
        System.arraycopy(line, before.length, all, ANSWER_START.length, id);
        System.arraycopy(answer, 0, all, ANSWER_START.length + id, answer.length);
        return all;
    }

    /** Whether a server repeats the id byte by byte: text without escapes, or a whole number in its shortest form. */
    static boolean isPlainId(byte[] line, int from, int to) {
        if (line[from] != '"') {
            return isPlainNumber(line, line[from] == '-' ? from + 1 : from, to, line[from] == '-');
        }
        if (to - from < 2 || to - from > LONGEST_TEXT || line[to - 1] != '"') {
            return false;
        }
        for (int i = from + 1; i < to - 1; i++) {
            if (!isDigit(line[i]) && !isLetter(line[i]) && line[i] != '-' && line[i] != '_') {
                return false;
            }
        }
        return true;
    }

    private static boolean isPlainNumber(byte[] line, int from, int to, boolean isNegative) {
        if (from >= to || to - from > LONGEST_NUMBER || line[from] == '0' && (isNegative || to - from > 1)) {
            return false;
        }
        for (int i = from; i < to; i++) {
            if (!isDigit(line[i])) {
                return false;
            }
        }
        return true;
    }

    private static boolean isDigit(byte one) {
        return one >= '0' && one <= '9';
    }

    private static boolean isLetter(byte one) {
        return one >= 'a' && one <= 'z' || one >= 'A' && one <= 'Z';
    }

    boolean isSameRequest(KnownHandshake other) {
        return Arrays.equals(before, other.before) && Arrays.equals(after, other.after);
    }
}
