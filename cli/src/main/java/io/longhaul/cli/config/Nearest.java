package io.longhaul.cli.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds what somebody may have meant by a word that is not known. */
public final class Nearest {
    private Nearest() {}

    /** The known word that is least different from {@code word}, unless all differ too much to be meant. */
    public static Optional<String> to(String word, Collection<String> known) {
        var wanted = word.toLowerCase(Locale.ROOT);
        return known.stream()
                .filter(candidate -> distance(wanted, candidate.toLowerCase(Locale.ROOT))
                        <= Math.max(1, Math.min(3, candidate.length() / 3)))
                .min(Comparator.comparingInt(candidate -> distance(wanted, candidate.toLowerCase(Locale.ROOT))));
    }

    /** A sentence that offers the nearest known word, or all of them where none is near. */
    public static String advice(String word, Collection<String> known) {
        return to(word, known)
                .map(near -> "Did you mean " + near + "?")
                .orElseGet(() -> "Known are: "
                        + String.join(", ", known.stream().sorted().toList()) + ".");
    }

    /** How many letters must be put in, taken out or changed (Levenshtein). */
    private static int distance(String a, String b) {
        int[] above = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[b.length()];
    }
}
