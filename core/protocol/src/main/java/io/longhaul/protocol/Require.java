// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol;

/** Checks of what a caller passes, such as an option of a builder. */
public final class Require {

    private Require() {}

    /** @throws IllegalArgumentException with {@code problem}, where it does not hold */
    public static void that(boolean holds, String problem) {
        if (!holds) {
            throw new IllegalArgumentException(problem);
        }
    }
}
