// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.run;

import java.util.Arrays;

/** Computes medians. */
public final class Medians {

    private Medians() {}

    /** @param values at least one, in any order */
    public static double of(double... values) {
        var sorted = Arrays.stream(values).sorted().toArray();
        var middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
