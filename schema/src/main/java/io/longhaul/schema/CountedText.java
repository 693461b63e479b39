// SPDX-License-Identifier: Apache-2.0
package io.longhaul.schema;

/**
 * A text for a pattern: a peer can make a text for which the match of a pattern takes very long, so that each look at a
 * character is counted. Belongs to the thread that matches.
 *
 * @param look runs at each look at a character, and ends the match by what it throws
 */
public record CountedText(String text, Runnable look) implements CharSequence {

    @Override
    public char charAt(int index) {
        look.run();
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
