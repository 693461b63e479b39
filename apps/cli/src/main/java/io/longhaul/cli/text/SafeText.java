// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.text;

import io.longhaul.file.text.HarmlessText;

/**
 * Makes text of others harmless for a terminal. Control characters could move the cursor, set the window's title, or
 * make one text look like another.
 */
public final class SafeText {
    private SafeText() {}

    /** The text on one line. */
    public static String line(String text) {
        return HarmlessText.line(text);
    }

    /** A line of text with its indentation. */
    public static String row(String text) {
        return HarmlessText.of(text.stripTrailing(), false);
    }

    /** The text with its line breaks and tabs. JSON keeps its meaning. */
    public static String block(String text) {
        return HarmlessText.of(text.replace("\r\n", "\n"), true);
    }

    /**
     * The text within a message of this program: indented, so that none of its lines looks like one of this program.
     */
    public static String quote(String text) {
        return block(text.strip()).replace("\n", "\n  ");
    }

    /** The first {@code width} columns of a line, with a mark where it was cut. */
    public static String fit(String line, int width) {
        if (line.codePoints().map(SafeText::columns).sum() <= width) {
            return line;
        }
        if (width < 4) {
            return "";
        }
        int end = 0;
        for (int left = width - 3; left >= columns(line.codePointAt(end)); end = line.offsetByCodePoints(end, 1)) {
            left -= columns(line.codePointAt(end));
        }
        return line.substring(0, end) + "...";
    }

    /** How many columns of a terminal a character takes. */
    private static int columns(int c) {
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
            default -> Character.isEmojiPresentation(c) || isWide(Character.UnicodeScript.of(c)) ? 2 : 1;
        };
    }

    private static boolean isWide(Character.UnicodeScript script) {
        return switch (script) {
            case HAN, HIRAGANA, KATAKANA, HANGUL -> true;
            default -> false;
        };
    }
}
