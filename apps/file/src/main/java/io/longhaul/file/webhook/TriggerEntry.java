// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.webhook;

import io.longhaul.engine.secret.Secret;
import io.longhaul.file.settings.Limits;
import io.longhaul.file.tool.ToolEntry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** For so long a {@link SignatureScheme#STANDARD} message is good, and the server must know its task. */
    static final Duration REPLAYED = SignatureScheme.TOLERANCE.multipliedBy(2);

    public TriggerEntry {
        events = Set.copyOf(events);
    }

    /** Whether a task can be gone while its message is still good, and would make another task. */
    public boolean isForgetful(List<ToolEntry> tools, Limits limits) {
        return scheme == SignatureScheme.STANDARD && kept(tool, tools, limits).compareTo(REPLAYED) < 0;
    }

    /** How long the tasks of a tool are kept. */
    static Duration kept(String tool, List<ToolEntry> tools, Limits limits) {
        return tools.stream()
                .filter(one -> one.name().equals(tool))
                .findFirst()
                .flatMap(one -> Optional.ofNullable(one.running().durable().keepFor()))
                .orElseGet(limits.tasks()::defaultRetention);
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
