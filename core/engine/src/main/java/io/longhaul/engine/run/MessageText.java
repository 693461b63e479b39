// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import java.time.Duration;

/** Texts for people, in status messages, reasons of failures and logs, cut to a length. */
public final class MessageText {

    /** The most characters of a message, without the dots that stand for the rest. */
    public static final int LONGEST = 2_000;

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

    /** A time in seconds, or in milliseconds where it is shorter than a second. */
    public static String time(Duration time) {
        return time.compareTo(Duration.ofSeconds(1)) < 0 ? time.toMillis() + " ms" : time.toSeconds() + " s";
    }
}
