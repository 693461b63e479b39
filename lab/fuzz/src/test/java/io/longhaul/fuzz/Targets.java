// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fuzz;

import io.longhaul.authorization.ChallengeTarget;
import io.longhaul.file.job.SaidTarget;
import io.longhaul.file.webhook.TriggerTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** All targets. */
final class Targets {

    /** Targets by their names, which are those of their folders in the corpus. */
    static final Map<String, Supplier<Target>> ALL = new LinkedHashMap<>();

    static {
        // The command has a log of its own; Faults looks into this one. Set before anything logs.
        System.setProperty("slf4j.provider", "ch.qos.logback.classic.spi.LogbackServiceProvider");
        ALL.put("json-rpc", JsonRpcTarget::new);
        ALL.put("server-dialects", ServerDialectsTarget::new);
        ALL.put("client-dialects", ClientDialectsTarget::new);
        ALL.put("http", HttpTarget::new);
        ALL.put("sse", SseTarget::new);
        ALL.put("event-ids", EventIdTarget::new);
        ALL.put("tokens", TokensTarget::new);
        ALL.put("schemas", SchemaTarget::new);
        ALL.put("yaml", YamlTarget::new);
        ALL.put("challenges", ChallengeTarget::new);
        ALL.put("triggers", TriggerTarget::new);
        ALL.put("said", SaidTarget::new);
    }

    /** Where the inputs of all targets are kept, in the folder of this module, in which its tests and programs run. */
    static final Path CORPUS = Path.of("corpus");

    private Targets() {}

    static Target named(String name) {
        var made = ALL.get(name);
        if (made == null) {
            throw new IllegalArgumentException("There is no target " + name + ", but " + ALL.keySet() + ".");
        }
        return made.get();
    }

    /** The inputs of a target that are kept. */
    static List<Path> corpus(String name) throws IOException {
        try (var files = Files.list(CORPUS.resolve(name))) {
            return files.sorted().toList();
        }
    }
}
