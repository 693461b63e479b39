// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

/** The length of what a task says to people: its status messages, and the reasons of its failures. */
public final class MessageText {

    /** The most characters of a message, without the dots that stand for the rest. */
    public static final int LONGEST = 2_000;

    private MessageText() {}

    /** The message, cut behind {@link #LONGEST} characters, with three dots in place of the rest; no pair is split. */
    public static String cut(String message) {
        if (message.length() <= LONGEST) {
            return message;
        }
        boolean isWithinPair = Character.isHighSurrogate(message.charAt(LONGEST - 1));
        return message.substring(0, isWithinPair ? LONGEST - 1 : LONGEST) + "...";
    }
}
