// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.feature;

import io.longhaul.protocol.call.Freshness;
import io.longhaul.protocol.json.Json;
import java.util.Map;
import java.util.Set;

/**
 * Resources that are not listed one by one.
 *
 * @param template   which they are
 * @param definition as it is listed
 * @param scopes     that a message needs, where scopes are told apart
 * @param fresh      how long what was read may be kept
 * @param reader     gives what one of them holds
 * @param completers what its variables could be, by their names
 */
public record ServedTemplate(
        UriTemplate template,
        Json definition,
        Set<String> scopes,
        Freshness fresh,
        ResourceReader reader,
        Map<String, Completer> completers) {

    public ServedTemplate {
        completers = Map.copyOf(completers);
    }
}
