package io.longhaul.receiver.feature;

import io.longhaul.protocol.call.Freshness;
import io.longhaul.protocol.json.Json;

/**
 * One resource as it is served.
 *
 * @param uri        unique on the server
 * @param definition as it is listed
 * @param fresh      how long what was read may be kept
 * @param reader     gives what it holds
 */
public record ServedResource(String uri, Json definition, Freshness fresh, ResourceReader reader) {}
