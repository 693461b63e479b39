// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.discovery;

import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Searches for a few molecules that resemble the lead, and each other as little as possible. */
final class PanelSearch {

    private static final int SIZE = 6;

    private final double[] likeLead;
    private final double[][] alike;

    /** The members of a panel, as indexes in the list of molecules. */
    record Panel(double score, List<Integer> members) {}

    PanelSearch(BitSet lead, List<BitSet> molecules) {
        likeLead = molecules.stream()
                .mapToDouble(bits -> Molecule.similarity(lead, bits))
                .toArray();
        alike = new double[molecules.size()][molecules.size()];
        for (int i = 0; i < molecules.size(); i++) {
            for (int j = 0; j < molecules.size(); j++) {
                alike[i][j] = Molecule.similarity(molecules.get(i), molecules.get(j));
            }
        }
    }

    Panel first() {
        var members = IntStream.range(0, Math.min(SIZE, likeLead.length)).toArray();
        return panel(members);
    }

    /**
     * Climbs from a random panel with a number of proposals, and gives the better of its result and the best so far.
     */
    Panel round(Panel best, int proposals, long seed) {
        var random = new Random(seed);
        var members = random.ints(0, likeLead.length)
                .distinct()
                .limit(best.members().size())
                .toArray();
        double score = score(members);
        for (int i = 0; i < proposals && members.length < likeLead.length; i++) {
            int place = random.nextInt(members.length);
            int old = members[place];
            int proposed = random.nextInt(likeLead.length);
            if (IntStream.of(members).anyMatch(member -> member == proposed)) {
                continue;
            }
            members[place] = proposed;
            double now = score(members);
            if (now > score) {
                score = now;
            } else {
                members[place] = old;
            }
        }
        return score > best.score() ? panel(members) : best;
    }

    private Panel panel(int[] members) {
        return new Panel(score(members), IntStream.of(members).sorted().boxed().toList());
    }

    private double score(int[] members) {
        double score = 0;
        for (int i = 0; i < members.length; i++) {
            score += likeLead[members[i]];
            for (int j = 0; j < i; j++) {
                score -= alike[members[i]][members[j]] / members.length;
            }
        }
        return score;
    }
}
