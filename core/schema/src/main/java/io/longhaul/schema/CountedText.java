// SPDX-License-Identifier: Apache-2.0
package io.longhaul.schema;

/**
 * A text for a pattern that counts each access to a character, because a peer can choose a text for which a match takes
 * very long. Used by the matching thread only.
 *
 * @param look runs at each access to a character; an exception ends the match
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
