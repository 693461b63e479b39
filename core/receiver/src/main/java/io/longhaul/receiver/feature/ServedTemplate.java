// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.feature;

import io.longhaul.protocol.call.Freshness;
import io.longhaul.protocol.json.Json;
import java.util.Map;
import java.util.Set;

/**
 * A template of resources that are not listed one by one.
 *
 * @param template   matches the URIs of these resources
 * @param definition the template as it is listed
 * @param scopes     that a message needs, where scopes are told apart
 * @param fresh      how long the contents may be cached
 * @param reader     gives the contents of one of these resources
 * @param completers suggest values for its variables, by their names
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
