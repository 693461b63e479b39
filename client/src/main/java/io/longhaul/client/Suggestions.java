// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import java.util.List;

/**
 * Suggested values for an argument or a variable.
 *
 * @param values  the first values, in the server's order
 * @param hasMore whether the server has more values
 */
public record Suggestions(List<String> values, boolean hasMore) {
    public Suggestions {
        values = List.copyOf(values);
    }
}
