// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.feature;

import io.longhaul.protocol.call.Freshness;
import io.longhaul.protocol.json.Json;
import java.util.Set;

/**
 * One resource as it is served.
 *
 * @param uri        unique on the server
 * @param definition as it is listed
 * @param scopes     that a message needs, where scopes are told apart
 * @param fresh      how long what was read may be kept
 * @param reader     gives what it holds
 */
public record ServedResource(String uri, Json definition, Set<String> scopes, Freshness fresh, ResourceReader reader) {}
