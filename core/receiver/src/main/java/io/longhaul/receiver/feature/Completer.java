// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.feature;

import io.longhaul.protocol.call.CallResponse;
import java.util.Map;

/** Completes an argument of a prompt, or a variable of a template. Thread-safe. */
@FunctionalInterface
public interface Completer {

    /**
     * The values that begin with what was typed, best first, and the number of all such values.
     *
     * @param typed  the text so far; may be empty
     * @param others the values of other arguments or variables, by their names
     */
    CallResponse.Completions complete(String typed, Map<String, String> others) throws Exception;
}
