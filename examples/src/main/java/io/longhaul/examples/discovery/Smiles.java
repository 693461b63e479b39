// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.discovery;

import io.longhaul.examples.discovery.Structure.Atom;
import io.longhaul.examples.discovery.Structure.Bond;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the line notation SMILES: atoms with their charges and hydrogens, bonds, branches, rings and parts.
 * Stereochemistry is ignored. Not thread-safe.
 */
final class Smiles {

    private static final Pattern TOKEN = Pattern.compile("\\[(?<inner>[^]]*)]|(?<plain>Br|Cl|[BCNOPSFI]|[bcnops])"
            + "|(?<ring>%\\d\\d|\\d)|(?<bond>[-=#:/\\\\])|(?<branch>[()])|(?<dot>\\.)");

    private static final Pattern BRACKET = Pattern.compile(
            "\\d*(?<symbol>[A-Z][a-z]?|[bcnops])@{0,2}(?:H(?<count>\\d?))?(?:[+-]\\d?|\\++|-+)?(?::\\d+)?");

    private static final Pattern HYDROGEN = Pattern.compile("H(\\d?)(?![a-z])");

    /** An atom whose bonds are not all known yet. A bracket names its hydrogens; else they follow from its bonds. */
    private record Open(Element element, boolean isAromatic, int hydrogens) {
        static final int FROM_BONDS = -1;
    }

    private record RingEnd(int atom, int order) {}

    private final String text;
    private final List<Open> atoms = new ArrayList<>();
    private final List<Bond> bonds = new ArrayList<>();
    private final Map<String, RingEnd> rings = new HashMap<>();
    private final Deque<Integer> branches = new ArrayDeque<>();
    private @Nullable Integer last;
    private int order = 1;

    private Smiles(String text) {
        this.text = text;
    }

    /** @throws IllegalArgumentException where the text is no SMILES, with a reason for people */
    static Structure read(String text) {
        return new Smiles(text).read();
    }

    private Structure read() {
        var tokens = TOKEN.matcher(text);
        int at = 0;
        while (at < text.length()) {
            require(tokens.find(at) && tokens.start() == at, "the sign " + text.charAt(at) + " at " + at);
            take(tokens);
            at = tokens.end();
        }
        require(rings.isEmpty(), "the ring " + rings.keySet() + " is not closed");
        require(branches.isEmpty(), "a branch is not closed");
        var whole = new ArrayList<Atom>();
        for (int i = 0; i < atoms.size(); i++) {
            whole.add(whole(atoms.get(i), i));
        }
        return new Structure(whole, bonds);
    }

    private void take(Matcher token) {
        if (token.group("inner") != null) {
            add(bracketed(token.group("inner")));
        } else if (token.group("plain") != null) {
            add(open(token.group("plain"), Open.FROM_BONDS));
        } else if (token.group("ring") != null) {
            ring(token.group("ring"));
        } else if (token.group("bond") != null) {
            order = Math.max(1, "-=#".indexOf(token.group("bond")) + 1);
        } else if (token.group("branch") != null) {
            branch(token.group("branch").equals("("));
        } else {
            last = null;
        }
    }

    private static Open open(String symbol, int hydrogens) {
        boolean isAromatic = Character.isLowerCase(symbol.charAt(0));
        var element = Element.of(isAromatic ? symbol.toUpperCase(Locale.ROOT) : symbol)
                .orElseThrow(() -> new IllegalArgumentException("an element " + symbol + " is not known"));
        return new Open(element, isAromatic, hydrogens);
    }

    private static Open bracketed(String inner) {
        var parts = BRACKET.matcher(inner);
        require(parts.matches(), "[" + inner + "] is no atom");
        var symbol = parts.group("symbol");
        var rest = HYDROGEN.matcher(inner.substring(inner.indexOf(symbol) + symbol.length()));
        int hydrogens = 0;
        if (rest.find()) {
            hydrogens = rest.group(1).isEmpty() ? 1 : Integer.parseInt(rest.group(1));
        }
        return open(symbol, hydrogens);
    }

    private void add(Open atom) {
        atoms.add(atom);
        int index = atoms.size() - 1;
        if (last != null) {
            bonds.add(new Bond(last, index, order));
        }
        last = index;
        order = 1;
    }

    private void ring(String number) {
        int here = here();
        var other = rings.remove(number);
        if (other == null) {
            rings.put(number, new RingEnd(here, order));
        } else {
            bonds.add(new Bond(other.atom(), here, Math.max(other.order(), order)));
        }
        order = 1;
    }

    private void branch(boolean isOpened) {
        if (isOpened) {
            branches.push(here());
        } else {
            require(!branches.isEmpty(), "a branch is closed that was not opened");
            last = branches.pop();
        }
    }

    private int here() {
        var atom = last;
        if (atom == null) {
            throw new IllegalArgumentException("a ring or a branch has no atom before it");
        }
        return atom;
    }

    /** Completes an atom. An aromatic atom has a share in one double bond in addition to its single bonds. */
    private Atom whole(Open atom, int index) {
        int sum = bonds.stream()
                .filter(bond -> bond.joins(index))
                .mapToInt(Bond::order)
                .sum();
        int hydrogens = atom.hydrogens() != Open.FROM_BONDS
                ? atom.hydrogens()
                : atom.isAromatic() && atom.element() != Element.C
                        ? 0
                        : atom.element().hydrogens(atom.isAromatic() ? sum + 1 : sum);
        return new Atom(atom.element(), atom.isAromatic(), hydrogens);
    }

    private static void require(boolean isGood, String otherwise) {
        if (!isGood) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
