// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import java.util.List;

/**
 * What could be filled in.
 *
 * @param values  the first ones, in the server's order
 * @param hasMore whether there are more
 */
public record Suggestions(List<String> values, boolean hasMore) {
    public Suggestions {
        values = List.copyOf(values);
    }
}
