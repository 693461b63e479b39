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
 * @param name    by which the file and the address name it
 * @param secrets of which one has to sign, as of this moment; made of the environment
 * @param scheme  how a call is signed
 * @param events  of GitHub that are calls, others are passed over; empty for all
 * @param content what the tool is given
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
     * @param fixed of each call, whatever its body says
     * @param taken where the others are in the body, by name; empty where the body is the arguments
     */
    public record Content(JsonNode fixed, Map<String, JsonPointer> taken) {
        public Content {
            taken = Map.copyOf(taken);
        }
    }
}
