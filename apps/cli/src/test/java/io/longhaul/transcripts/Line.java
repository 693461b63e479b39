// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transcripts;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One line of a transcript that something happens at.
 *
 * @param wire which request over HTTP it belongs to where several are open; mostly empty
 * @param mark {@code >} what the client sends, {@code <} what the server says, {@code ~} what it says in any order,
 *     {@code !} what happens at it
 */
record Line(String wire, char mark, String text) {

    private static final Pattern FORM = Pattern.compile("([a-z]*)([><~!]) ?(.*)");

    /** Empty for lines that are only to be read: headings, remarks and names. */
    static Optional<Line> of(String line) {
        var parts = FORM.matcher(line);
        return parts.matches()
                ? Optional.of(new Line(parts.group(1), parts.group(2).charAt(0), parts.group(3)))
                : Optional.empty();
    }

    String with(String said) {
        return wire + mark + " " + said;
    }
}
