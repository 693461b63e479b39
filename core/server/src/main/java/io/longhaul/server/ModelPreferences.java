// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Preferences for the choice of a client's model; the client decides. Immutable.
 *
 * @param hints                names or parts of names, the best first
 * @param costPriority         how much a low price counts, from 0 to 1; null for unspecified
 * @param speedPriority        how much speed counts, from 0 to 1; null for unspecified
 * @param intelligencePriority how much ability counts, from 0 to 1; null for unspecified
 */
public record ModelPreferences(
        List<String> hints,
        @Nullable Double costPriority,
        @Nullable Double speedPriority,
        @Nullable Double intelligencePriority) {

    public ModelPreferences {
        hints = List.copyOf(hints);
        check("cost", costPriority);
        check("speed", speedPriority);
        check("intelligence", intelligencePriority);
    }

    /** Preferences for models by their names or parts of names, the best first. */
    public static ModelPreferences of(String... hints) {
        return new ModelPreferences(List.of(hints), null, null, null);
    }

    private static void check(String what, @Nullable Double value) {
        if (value != null && !(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException("the priority of " + what + " must be between 0 and 1, not " + value);
        }
    }
}
