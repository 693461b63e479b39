// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import java.util.List;

/**
 * Suggested values for an argument or a variable.
 *
 * @param values the first values, in the server's order
 * @param total  the number of all values; a lower bound where the server does not tell it
 */
public record Suggestions(List<String> values, int total) {
    public Suggestions {
        values = List.copyOf(values);
    }

    /** Whether the server has more values. */
    public boolean hasMore() {
        return total > values.size();
    }
}
