// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.Call.TaskWish.Created;
import io.longhaul.protocol.dialect.base.ClientHandshake;
import io.longhaul.protocol.dialect.tasks20251125.ClientHandshakeTasks;
import io.longhaul.protocol.dialect.tasks20260728.ClientStateless;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.RpcError;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The client's side of every generation. */
public final class ClientDialects {

    private static final ClientDialect STATELESS = new ClientStateless();

    private ClientDialects() {}

    /**
     * The client's dialect of a generation.
     *
     * @throws IllegalArgumentException where this build has no client dialect for the generation
     */
    public static ClientDialect of(Generation generation) {
        return find(generation)
                .orElseThrow(() -> new IllegalArgumentException("This client does not speak " + generation + "."));
    }

    private static Optional<ClientDialect> find(Generation generation) {
        return switch (generation) {
            case V2026_07_28 -> Optional.of(STATELESS);
            case V2025_11_25 -> Optional.of(new ClientHandshakeTasks());
            case V2025_06_18, V2025_03_26, V2024_11_05 -> Optional.of(new ClientHandshake(generation));
            default -> Drafts.client(generation);
        };
    }

    /** All generations that {@link #of} accepts, in their order. */
    public static List<Generation> spoken() {
        return Arrays.stream(Generation.values())
                .filter(generation -> find(generation).isPresent())
                .toList();
    }

    /** The newest generation, which a client tries first. */
    public static ClientDialect newest() {
        return STATELESS;
    }

    /** The newest generation that opens sessions, which a client tries next. */
    public static ClientDialect newestHandshake() {
        return of(Generation.V2025_11_25);
    }

    /** The newest generation without tasks. */
    public static Generation plain() {
        return spoken().stream()
                .filter(generation -> of(generation).traits().making().by() == Created.NEVER)
                .findFirst()
                .orElseThrow();
    }

    /** The versions of the server that an error names; empty where the error names none. */
    public static List<String> versions(RpcError error) {
        var versions = new ArrayList<String>();
        if (error.data() != null) {
            JsonTree.read(error.data()).path("supported").forEach(version -> versions.add(version.asString("")));
        }
        return versions;
    }

    /** The newest generation in which a task can be deleted. */
    public static ClientDialect deleting() {
        return of(Generation.SEP_1686);
    }

    /** The newest generation whose servers can list their tasks. */
    public static ClientDialect listing() {
        return of(Generation.V2025_11_25);
    }
}
