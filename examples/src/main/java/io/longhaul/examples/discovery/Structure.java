// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.discovery;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A molecule as a graph. Immutable. */
record Structure(List<Atom> atoms, List<Bond> bonds) {

    static final int FINGERPRINT_BITS = 1024;
    private static final int LONGEST_PATH = 6;

    /** @param hydrogens the number of hydrogens, in addition to the bonds */
    record Atom(Element element, boolean isAromatic, int hydrogens) {
        String label() {
            return isAromatic ? "~" + element.symbol() : element.symbol();
        }

        boolean isPolar() {
            return element == Element.N || element == Element.O;
        }
    }

    /** @param order 1 also for an aromatic bond */
    record Bond(int from, int to, int order) {
        boolean joins(int atom) {
            return from == atom || to == atom;
        }

        int other(int atom) {
            return from == atom ? to : from;
        }
    }

    Structure {
        atoms = List.copyOf(atoms);
        bonds = List.copyOf(bonds);
    }

    private int count(Element element) {
        int heavy = Math.toIntExact(
                atoms.stream().filter(atom -> atom.element() == element).count());
        return element == Element.H
                ? heavy + atoms.stream().mapToInt(Atom::hydrogens).sum()
                : heavy;
    }

    /** The formula in Hill order: carbon, hydrogen, then the other elements alphabetically. */
    String formula() {
        var counts = new TreeMap<Element, Integer>();
        for (var element : Element.values()) {
            counts.put(element, count(element));
        }
        return counts.entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .map(entry -> entry.getKey().symbol() + (entry.getValue() == 1 ? "" : entry.getValue()))
                .collect(Collectors.joining());
    }

    double mass() {
        double mass = 0;
        for (var element : Element.values()) {
            mass += element.mass * count(element);
        }
        return mass;
    }

    /** The number of hydrogens at nitrogen and oxygen, as Lipinski counts. */
    int donors() {
        return atoms.stream().filter(Atom::isPolar).mapToInt(Atom::hydrogens).sum();
    }

    /** The number of nitrogen and oxygen atoms, as Lipinski counts. */
    int acceptors() {
        return Math.toIntExact(atoms.stream().filter(Atom::isPolar).count());
    }

    /** The logP estimate of Mannhold et al. (2009), from only the numbers of carbon atoms and of other heavy atoms. */
    double logP() {
        int carbon = count(Element.C);
        return 1.46 + 0.11 * carbon - 0.11 * (atoms.size() - carbon);
    }

    /** The number of single bonds outside of rings, both ends of which have further bonds. */
    int rotatable() {
        return Math.toIntExact(bonds.stream()
                .filter(bond -> bond.order() == 1 && degree(bond.from()) > 1 && degree(bond.to()) > 1)
                .filter(bond -> !isInRing(bond))
                .count());
    }

    int rings() {
        return Math.toIntExact(bonds.size() - atoms.size() + parts());
    }

    private long parts() {
        Set<Integer> seen = new HashSet<>();
        long parts = 0;
        for (int atom = 0; atom < atoms.size(); atom++) {
            if (!seen.contains(atom)) {
                parts++;
                seen.addAll(reachable(atom, null));
            }
        }
        return parts;
    }

    private long degree(int atom) {
        return bonds.stream().filter(bond -> bond.joins(atom)).count();
    }

    private boolean isInRing(Bond bond) {
        return reachable(bond.from(), bond).contains(bond.to());
    }

    private Set<Integer> reachable(int start, @Nullable Bond without) {
        Set<Integer> seen = new HashSet<>(Set.of(start));
        var next = new ArrayDeque<>(List.of(start));
        while (!next.isEmpty()) {
            int atom = next.pop();
            bonds.stream()
                    .filter(bond -> !bond.equals(without) && bond.joins(atom))
                    .map(bond -> bond.other(atom))
                    .filter(seen::add)
                    .forEach(next::push);
        }
        return seen;
    }

    /** The fingerprint: a bit for each path of up to six atoms, the same from both ends. */
    BitSet fingerprint() {
        var bits = new BitSet(FINGERPRINT_BITS);
        for (int atom = 0; atom < atoms.size(); atom++) {
            addPaths(bits, List.of(atom), atoms.get(atom).label());
        }
        return bits;
    }

    private void addPaths(BitSet bits, List<Integer> path, String text) {
        var backwards = new StringBuilder(text).reverse().toString();
        var canonical = text.compareTo(backwards) <= 0 ? text : backwards;
        bits.set(Math.floorMod(canonical.hashCode() * 0x9E3779B1, FINGERPRINT_BITS));
        if (path.size() == LONGEST_PATH) {
            return;
        }
        int end = path.getLast();
        for (var bond : bonds) {
            if (bond.joins(end) && !path.contains(bond.other(end))) {
                int next = bond.other(end);
                var longer = new ArrayList<>(path);
                longer.add(next);
                addPaths(bits, longer, text + bond.order() + atoms.get(next).label());
            }
        }
    }
}
