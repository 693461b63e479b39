// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.handshake;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The first request of a host and its answer, each without the id, because some hosts choose a new id at each start.
 * Two requests are the same where all bytes except those of the id are equal.
 *
 * @param before the bytes of the request before its id, each of them a character, as in all texts of this package
 * @param after  the bytes of the request after its id
 * @param answer the bytes of the answer after the id
 */
record KnownHandshake(String before, String after, String answer) {
    static final String ANSWER_START = "{\"jsonrpc\":\"2.0\",\"id\":";

    /** An id that a server repeats byte by byte: text without escapes, or a whole number in its shortest form. */
    private static final Pattern PLAIN_ID = Pattern.compile("\"[0-9A-Za-z_-]{0,98}\"|0|-?[1-9][0-9]{0,14}");

    /** The answer to a line, both without a line end; empty where the line is not this request. */
    Optional<String> answerTo(String line) {
        int end = line.length() - after.length();
        if (end < before.length() || !line.startsWith(before) || !line.endsWith(after)) {
            return Optional.empty();
        }
        var id = line.substring(before.length(), end);
        return PLAIN_ID.matcher(id).matches() ? Optional.of(ANSWER_START + id + answer) : Optional.empty();
    }

    boolean isSameRequest(KnownHandshake other) {
        return before.equals(other.before) && after.equals(other.after);
    }
}
