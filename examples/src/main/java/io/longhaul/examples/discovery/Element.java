// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.discovery;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The elements of medicines: their masses, and their usual valences. */
enum Element {
    C(12.011, 4),
    H(1.008, 1),
    B(10.81, 3),
    BR(79.904, 1),
    CL(35.45, 1),
    F(18.998, 1),
    I(126.904, 1),
    N(14.007, 3, 5),
    O(15.999, 2),
    P(30.974, 3, 5),
    S(32.06, 2, 4, 6);

    final double mass;
    private final int[] valences;

    Element(double mass, int... valences) {
        this.mass = mass;
        this.valences = valences;
    }

    String symbol() {
        return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
    }

    static Optional<Element> of(String symbol) {
        return Arrays.stream(values())
                .filter(element -> element.symbol().equals(symbol))
                .findFirst();
    }

    /** The number of implicit hydrogens of an atom with this number of bonds. */
    int hydrogens(int bonds) {
        return Arrays.stream(valences)
                .filter(valence -> valence >= bonds)
                .map(valence -> valence - bonds)
                .findFirst()
                .orElse(0);
    }
}
