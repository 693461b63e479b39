// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.parcels;

import java.util.NavigableMap;
import java.util.TreeMap;

/** The price of a carrier, by the billed weight. */
final class Tariff {

    private static final int LARGEST_GIRTH = 300;

    private final NavigableMap<Integer, Integer> centsUpTo = new TreeMap<>();

    Tariff upTo(int grams, int cents) {
        centsUpTo.put(grams, cents);
        return this;
    }

    int cents(Parcel parcel) {
        var step = centsUpTo.ceilingEntry(parcel.billedGrams());
        if (step == null || parcel.girth() > LARGEST_GIRTH) {
            throw new IllegalArgumentException("no carrier takes such a parcel");
        }
        return step.getValue();
    }
}
