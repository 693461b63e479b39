// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

/**
 * Makes text of others harmless for a terminal. Control characters could move the cursor, set the window's title, or
 * make one text look like another.
 */
public final class SafeText {
    private SafeText() {}

    /** The text on one line. */
    public static String line(String text) {
        return clean(text.strip(), false);
    }

    /** A line of text with its indentation. */
    static String row(String text) {
        return clean(text.stripTrailing(), false);
    }

    /** The text with its line breaks and tabs. JSON keeps its meaning. */
    public static String block(String text) {
        return clean(text.replace("\r\n", "\n"), true);
    }

    /**
     * The text within a message of this program: indented, so that none of its lines looks like one of this program.
     */
    public static String quote(String text) {
        return block(text.strip()).replace("\n", "\n  ");
    }

    private static String clean(String text, boolean keepLines) {
        var out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c == '\n' || c == '\t') {
                out.append(keepLines ? (char) c : ' ');
            } else if (isHarmful(c)) {
                Character.toString(c).chars().forEach(unit -> out.append(String.format("\\u%04x", unit)));
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.toString();
    }

    /** Whether a character is a control character, changes the direction of text, or is invisible. */
    private static boolean isHarmful(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                true;
            case Character.FORMAT -> c != 0x200D && c != 0x200C;
            default -> false;
        };
    }

    /** The first {@code width} columns of a line, with a mark where it was cut. */
    public static String fit(String line, int width) {
        if (line.codePointCount(0, line.length()) <= width) {
            return line;
        }
        return width < 4 ? "" : line.substring(0, line.offsetByCodePoints(0, width - 3)) + "...";
    }
}
