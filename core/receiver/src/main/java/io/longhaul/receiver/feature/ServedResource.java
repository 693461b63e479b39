// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.feature;

import io.longhaul.protocol.call.Freshness;
import io.longhaul.protocol.json.Json;
import java.util.Set;

/**
 * One resource of a server.
 *
 * @param uri        unique on the server
 * @param definition the resource as it is listed
 * @param scopes     that a message needs, where scopes are told apart
 * @param fresh      how long the contents may be cached
 * @param reader     gives the contents
 */
public record ServedResource(String uri, Json definition, Set<String> scopes, Freshness fresh, ResourceReader reader) {}
