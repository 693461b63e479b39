// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.research;

import java.util.List;

/** The parts of two texts that tell the same in nearly the same words: their best local alignment (Smith-Waterman). */
record Alignment(int score, int from, int to) {

    private static final int SAME = 2;
    private static final int OTHER = -1;

    /** The best alignment of two lists of words; {@code from} and {@code to} are places in the first list. */
    static Alignment of(List<String> one, List<String> other) {
        var scores = new int[other.size() + 1];
        var starts = new int[other.size() + 1];
        var best = new Alignment(0, 0, 0);
        for (int i = 0; i < one.size(); i++) {
            int diagonal = 0;
            int diagonalStart = i;
            for (int j = 1; j <= other.size(); j++) {
                int paired = diagonal + (one.get(i).equals(other.get(j - 1)) ? SAME : OTHER);
                int start = diagonal > 0 ? diagonalStart : i;
                int score = paired;
                if (scores[j] + OTHER > score) {
                    score = scores[j] + OTHER;
                    start = starts[j];
                }
                if (scores[j - 1] + OTHER > score) {
                    score = scores[j - 1] + OTHER;
                    start = starts[j - 1];
                }
                diagonal = scores[j];
                diagonalStart = starts[j];
                scores[j] = Math.max(0, score);
                starts[j] = start;
                if (score > best.score()) {
                    best = new Alignment(score, start, i + 1);
                }
            }
        }
        return best;
    }
}
