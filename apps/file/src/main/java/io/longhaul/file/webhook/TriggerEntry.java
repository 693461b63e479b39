// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.webhook;

import io.longhaul.file.secret.SigningSecrets;
import io.longhaul.file.settings.Limit;
import io.longhaul.file.settings.Limits;
import io.longhaul.file.tool.ToolEntry;
import io.longhaul.file.tool.ToolNames;
import io.longhaul.file.tree.Binder;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.YamlTree;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
        @Binder.Key String name,
        String tool,
        @Binder.Named("secret") SigningSecrets secrets,
        @Binder.Named("signature") SignatureScheme scheme,
        Set<String> events,
        Content content) {

    /** For so long a {@link SignatureScheme#STANDARD} message is good, and the server must know its task. */
    static final Duration REPLAYED = SignatureScheme.TOLERANCE.multipliedBy(2);

    public TriggerEntry {
        events = Set.copyOf(events);
    }

    /** Reads {@code triggers:} of a file. */
    public static List<TriggerEntry> read(Binder in, ToolNames tools, Limits limits) {
        var entries = in.members("triggers", TriggerEntry.class);
        entries.forEach((name, entry) -> {
            var at = YamlTree.below("/triggers", name);
            tools.checkCalled(at + "/tool");
            if (entry.scheme() == SignatureScheme.STANDARD && in.file().has(at + "/events")) {
                in.file().wrong(at + "/events", "are those of GitHub", "Add signature: github, or leave them out");
            }
            if (entry.isForgetful(tools.tools(), limits)) {
                entry.tellForgetful(in.file(), at, kept(entry.tool(), tools.tools(), limits));
            }
        });
        return List.copyOf(entries.values());
    }

    private void tellForgetful(FileFields file, String at, Duration kept) {
        var least = Limit.time(REPLAYED.toMillis());
        var problem = "names a tool whose tasks are kept for " + Limit.time(kept.toMillis())
                + ", and a message is good for " + least + ": it could make a second task";
        file.wrong(at + "/tool", problem, "Write keepFor: " + least + " or more at the tool");
    }

    /** Whether a task can be gone while its message is still good, and would make another task. */
    public boolean isForgetful(List<ToolEntry> tools, Limits limits) {
        return scheme == SignatureScheme.STANDARD && kept(tool, tools, limits).compareTo(REPLAYED) < 0;
    }

    /** How long the tasks of a tool are kept. */
    private static Duration kept(String tool, List<ToolEntry> tools, Limits limits) {
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
    public record Content(
            @Binder.Named("arguments") JsonNode fixed,
            @Binder.Named("body") Map<String, JsonPointer> taken) {
        public Content {
            taken = Map.copyOf(taken);
        }
    }
}
