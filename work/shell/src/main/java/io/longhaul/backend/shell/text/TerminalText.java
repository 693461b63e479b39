// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.text;

import java.util.regex.Pattern;

/** Converts text that was written for a terminal to plain text. */
public final class TerminalText {

    /**
     * ECMA-48: control sequences (5.4), control strings such as the title of a window or a link (8.3.89, ended by ST
     * or, as xterm has it, BEL), and the other escape sequences, of two characters or with intermediate ones (ECMA-35).
     */
    private static final Pattern CODES = Pattern.compile("(?:\u001b\\[|\u009b)[0-?]*[ -/]*[@-~]"
            + "|(?:\u001b[PX^_\\]]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\\\|\u009c)?"
            + "|\u001b[ -/]*[0-~]?");

    private TerminalText() {}

    /** The text without terminal codes, with only the last state of an overwritten line. */
    public static String plain(String text) {
        var plain = new StringBuilder(text.length());
        int line = 0;
        boolean returned = false;
        var shown = CODES.matcher(text).replaceAll("");
        for (int i = 0; i < shown.length(); i++) {
            char c = shown.charAt(i);
            switch (c) {
                case '\r' -> returned = true;
                case '\b' -> plain.setLength(Math.max(line, plain.length() - 1));
                case '\n' -> {
                    line = plain.append(c).length();
                    returned = false;
                }
                default -> {
                    if (returned) {
                        plain.setLength(line);
                        returned = false;
                    }
                    if (c == '\t' || !Character.isISOControl(c)) {
                        plain.append(c);
                    }
                }
            }
        }
        return plain.toString();
    }
}
