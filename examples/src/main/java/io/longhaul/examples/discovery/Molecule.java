// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.discovery;

import java.util.BitSet;
import java.util.HexFormat;

/**
 * The data of a molecule in a screening, or why its structure could not be read.
 *
 * @param fingerprint the bits, as hexadecimal digits
 * @param problem     empty where the structure was read
 */
record Molecule(String name, String formula, Properties properties, String fingerprint, String problem) {

    /** The properties for Lipinski's rule and for a chemist. */
    record Properties(double mass, int donors, int acceptors, int rotatable, int rings, double logP) {
        static final Properties UNKNOWN = new Properties(0, 0, 0, 0, 0, 0);

        static Properties of(Structure structure) {
            return new Properties(
                    rounded(structure.mass()),
                    structure.donors(),
                    structure.acceptors(),
                    structure.rotatable(),
                    structure.rings(),
                    rounded(structure.logP()));
        }
    }

    /** Reads a line with the SMILES, the name and the formula, which must match the structure. */
    static Molecule of(String line) {
        var words = line.strip().split("\\s+");
        try {
            if (words.length != 3) {
                throw new IllegalArgumentException("a line has a SMILES, a name and a formula");
            }
            var structure = Smiles.read(words[0]);
            if (!structure.formula().equals(words[2])) {
                throw new IllegalArgumentException(
                        "the structure is " + structure.formula() + ", and the file says " + words[2]);
            }
            return of(words[1], structure);
        } catch (IllegalArgumentException e) {
            var name = words.length > 1 ? words[1] : words[0];
            return new Molecule(name, "", Properties.UNKNOWN, "", String.valueOf(e.getMessage()));
        }
    }

    private static Molecule of(String name, Structure structure) {
        var fingerprint = HexFormat.of().formatHex(structure.fingerprint().toByteArray());
        return new Molecule(name, structure.formula(), Properties.of(structure), fingerprint, "");
    }

    /** Whether the molecule passes Lipinski's rule of five. */
    boolean isDruglike() {
        return problem.isEmpty()
                && properties.mass() <= 500
                && properties.donors() <= 5
                && properties.acceptors() <= 10
                && properties.logP() <= 5;
    }

    BitSet bits() {
        return BitSet.valueOf(HexFormat.of().parseHex(fingerprint));
    }

    /** The Tanimoto similarity: the number of common bits, divided by the number of bits of either. */
    static double similarity(BitSet one, BitSet other) {
        var both = (BitSet) one.clone();
        both.and(other);
        int shared = both.cardinality();
        int either = one.cardinality() + other.cardinality() - shared;
        return either == 0 ? 0 : (double) shared / either;
    }

    static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
