// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known word that an author may have meant by an unknown one. */
public final class SimilarWord {
    private static final int SHORTEST_BEGIN = 4;

    private SimilarWord() {}

    /** The known word nearest to {@code word}, unless all differ too much. */
    public static Optional<String> to(String word, Collection<String> known) {
        var wanted = word.toLowerCase(Locale.ROOT);
        return known.stream()
                .filter(candidate -> distance(wanted, candidate.toLowerCase(Locale.ROOT))
                        <= Math.max(1, Math.min(3, candidate.length() / 3)))
                .min(Comparator.comparingInt(candidate -> distance(wanted, candidate.toLowerCase(Locale.ROOT))))
                .or(() -> begun(wanted, known));
    }

    /** The only known word that begins with {@code wanted}, or that {@code wanted} begins with. */
    private static Optional<String> begun(String wanted, Collection<String> known) {
        var all = known.stream()
                .filter(candidate -> Math.min(wanted.length(), candidate.length()) >= SHORTEST_BEGIN)
                .filter(candidate -> {
                    var word = candidate.toLowerCase(Locale.ROOT);
                    return word.startsWith(wanted) || wanted.startsWith(word);
                })
                .toList();
        return all.size() == 1 ? Optional.of(all.getFirst()) : Optional.empty();
    }

    /** A sentence that offers the nearest known word, or all of them where none is near. */
    public static String advice(String word, Collection<String> known) {
        if (known.isEmpty()) {
            return "There are none.";
        }
        return to(word, known)
                .map(near -> "Did you mean " + near + "?")
                .orElseGet(() -> "Known are: "
                        + String.join(", ", known.stream().sorted().toList()) + ".");
    }

    /** The number of letters to insert, remove, change, or swap with their neighbour (Damerau-Levenshtein). */
    private static int distance(String a, String b) {
        int[][] table = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                table[i][j] = i == 0 || j == 0 ? i + j : least(table, i, j, a, b);
            }
        }
        return table[a.length()][b.length()];
    }

    private static int least(int[][] table, int i, int j, String a, String b) {
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int least = Math.min(table[i - 1][j - 1] + change, Math.min(table[i - 1][j], table[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, table[i - 2][j - 2] + 1) : least;
    }
}
