// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.feature;

import io.longhaul.protocol.json.Json;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * One prompt of a server.
 *
 * @param name       unique on the server
 * @param definition the prompt as it is listed
 * @param scopes     that a message needs, where scopes are told apart
 * @param arguments  which it takes, and whether each is required
 * @param source     gives its messages
 * @param completers suggest values for its arguments, by their names
 */
public record ServedPrompt(
        String name,
        Json definition,
        Set<String> scopes,
        Map<String, Boolean> arguments,
        PromptSource source,
        Map<String, Completer> completers) {

    public ServedPrompt {
        arguments = Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
        completers = Map.copyOf(completers);
    }
}
