// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import io.longhaul.backend.http.Secret;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/**
 * A tool that other systems call with a POST.
 *
 * @param name    by which the file and the address name the trigger
 * @param secrets gives the present secrets, one of which must sign a call; made from the environment
 * @param scheme  how a call is signed
 * @param events  the events of GitHub that start a call; others are ignored; empty for all
 * @param content the arguments of the tool
 */
public record TriggerEntry(
        String name,
        String tool,
        Function<Map<String, String>, List<Secret>> secrets,
        SignatureScheme scheme,
        Set<String> events,
        Content content) {

    public TriggerEntry {
        events = Set.copyOf(events);
    }

    /**
     * The arguments of a call.
     *
     * @param fixed the fixed arguments of each call
     * @param taken the places of the other arguments in the body, by name; empty where the whole body is the arguments
     */
    public record Content(JsonNode fixed, Map<String, JsonPointer> taken) {
        public Content {
            taken = Map.copyOf(taken);
        }
    }
}
