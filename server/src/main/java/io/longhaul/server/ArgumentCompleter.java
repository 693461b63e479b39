// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import java.util.List;
import java.util.Map;

/** Knows what an argument of a prompt or a variable of a resource template could be. Thread-safe. */
@FunctionalInterface
public interface ArgumentCompleter {

    /**
     * What goes on from what was typed, best first. A client is told the first 100 and how many there are.
     *
     * @param typed  what is there already; may be empty
     * @param others what other arguments or variables were given, by their names; clients older than 2025-06-18 say
     *               none
     */
    List<String> complete(String typed, Map<String, String> others) throws Exception;

    /** One of these that begins with what was typed, whatever the case. */
    static ArgumentCompleter of(List<String> values) {
        var all = List.copyOf(values);
        return (typed, others) -> all.stream()
                .filter(value -> value.regionMatches(true, 0, typed, 0, typed.length()))
                .toList();
    }
}
