// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.call.CallResponse;
import java.util.List;
import java.util.Map;

/** Completes the values of an argument of a prompt, or of a variable of a resource template. Thread-safe. */
@FunctionalInterface
public interface ArgumentCompleter {

    /**
     * The values that complete what was typed, best first. A client gets the first 100 and the number of all values.
     *
     * @param typed  the text that was typed; may be empty
     * @param others the values of other arguments or variables, by their names; clients older than 2025-06-18 send none
     */
    List<String> complete(String typed, Map<String, String> others) throws Exception;

    /**
     * As {@link #complete}, for a completer that has only the first values, such as one that asks another server: tells
     * the number of all values.
     */
    default CallResponse.Completions completions(String typed, Map<String, String> others) throws Exception {
        var values = complete(typed, others);
        return new CallResponse.Completions(values, values.size());
    }

    /** A completer that gives the values that begin with the typed text, ignoring case. */
    static ArgumentCompleter of(List<String> values) {
        var all = List.copyOf(values);
        return (typed, others) -> all.stream()
                .filter(value -> value.regionMatches(true, 0, typed, 0, typed.length()))
                .toList();
    }
}
