// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.discovery;

import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Searches for a few molecules that resemble the lead, and each other as little as possible. The search scores every
 * panel of the wanted size.
 */
final class PanelSearch {

    private final int size;
    private final double[] likeLead;
    private final double[][] alike;

    /**
     * The best panel so far.
     *
     * @param members as indexes in the list of molecules; none before the first panel
     */
    record Panel(double score, List<Integer> members) {
        static final Panel NONE = new Panel(-Double.MAX_VALUE, List.of());
    }

    PanelSearch(int size, BitSet lead, List<BitSet> molecules) {
        this.size = size;
        likeLead = molecules.stream()
                .mapToDouble(bits -> Molecule.similarity(lead, bits))
                .toArray();
        alike = new double[molecules.size()][molecules.size()];
        for (int i = 0; i < molecules.size(); i++) {
            for (int j = 0; j < molecules.size(); j++) {
                alike[i][j] = Molecule.similarity(molecules.get(i), molecules.get(j)) / size;
            }
        }
    }

    /** The number of molecules with which a panel can begin. */
    int beginnings() {
        return likeLead.length - size + 1;
    }

    /** The best of {@code best} and all panels whose first member is the molecule {@code first}. */
    Panel panelsFrom(int first, Panel best) {
        var search = new Branch(best);
        search.add(first, likeLead[first]);
        return search.best;
    }

    /** All panels that begin with the same members. */
    private final class Branch {
        private final int[] members = new int[size];
        private int count;
        private Panel best;

        Branch(Panel best) {
            this.best = best;
        }

        /** Adds a member, scores all panels that have it, and takes it out again. */
        void add(int member, double score) {
            members[count++] = member;
            if (count == size) {
                if (score > best.score()) {
                    best = new Panel(score, IntStream.of(members).boxed().toList());
                }
            } else {
                int last = likeLead.length - (size - count);
                for (int next = member + 1; next <= last; next++) {
                    add(next, score + gain(next));
                }
            }
            count--;
        }

        private double gain(int next) {
            double gain = likeLead[next];
            for (int i = 0; i < count; i++) {
                gain -= alike[next][members[i]];
            }
            return gain;
        }
    }
}
