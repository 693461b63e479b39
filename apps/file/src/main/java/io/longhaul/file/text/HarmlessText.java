// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.text;

/**
 * Text of others without characters that act on whoever shows it: control characters could move a cursor, set the title
 * of a window, or make one text look like another.
 */
public final class HarmlessText {
    private HarmlessText() {}

    /** The text on one line. */
    public static String line(String text) {
        return of(text.strip(), false);
    }

    /** @param keepLines whether line breaks and tabs stay; else each becomes a space */
    public static String of(String text, boolean keepLines) {
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
}
