// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Texts for people, in status messages, reasons of failures and logs, cut to a length. */
public final class MessageText {

    /** The most characters of a message, without the dots that stand for the rest. */
    public static final int LONGEST = 2_000;

    private static final int LONGEST_CHARACTER = 4;

    private MessageText() {}

    /** The message, cut behind {@link #LONGEST} characters, with three dots in place of the rest; no pair is split. */
    public static String cut(String message) {
        return cut(message, LONGEST);
    }

    /** The text, cut behind {@code most} characters as by {@link #cut(String)}. */
    public static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        boolean isWithinPair = Character.isHighSurrogate(text.charAt(most - 1));
        return text.substring(0, isWithinPair ? most - 1 : most) + "...";
    }

    /** The number of first bytes of UTF-8 text that are complete characters: all, or all but a cut last one. */
    public static int complete(byte[] text) {
        int last = Math.max(0, text.length - LONGEST_CHARACTER);
        var rest = ByteBuffer.wrap(text, last, text.length - last);
        var decoder = StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPLACE);
        decoder.decode(rest, CharBuffer.allocate(LONGEST_CHARACTER), false);
        return rest.position();
    }

    /** A time in seconds, or in milliseconds where it is shorter than a second. */
    public static String time(Duration time) {
        return time.compareTo(Duration.ofSeconds(1)) < 0 ? time.toMillis() + " ms" : time.toSeconds() + " s";
    }
}
