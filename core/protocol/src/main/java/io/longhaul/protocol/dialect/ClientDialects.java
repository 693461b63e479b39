// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.TaskWish.Created;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.dialect.ClientDialect.Outgoing;
import io.longhaul.protocol.dialect.base.PlainHandshake;
import io.longhaul.protocol.dialect.tasks20251125.HandshakeTasks;
import io.longhaul.protocol.dialect.tasks20260728.StatelessTasks;
import io.longhaul.protocol.dialect.words.StatelessResults;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.RpcError;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The dialects that a client speaks, one for each generation. */
public final class ClientDialects {

    private static final Map<Generation, ClientDialect> ALL = new EnumMap<>(Drafts.DIALECTS);
    private static final List<Overlay> OVERLAYS = Drafts.overlays();

    static {
        ALL.put(Generation.V2026_07_28, new StatelessTasks(new StatelessResults(Json.EMPTY_OBJECT)));
        ALL.put(Generation.V2025_11_25, new HandshakeTasks());
        Generation.versions().stream()
                .filter(version -> version.isPublished() && !ALL.containsKey(version))
                .forEach(version -> ALL.put(version, new PlainHandshake(version.revision())));
    }

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

    static Optional<ClientDialect> find(Generation generation) {
        return Optional.ofNullable(ALL.get(generation));
    }

    /** All generations that {@link #of} accepts, in their order. */
    public static List<Generation> spoken() {
        return List.copyOf(ALL.keySet());
    }

    /** Encodes a call with the overlay that has it, else with the generation {@code own}. */
    static Outgoing encode(Call call, ClientProfile me, ClientDialect own) {
        for (var overlay : OVERLAYS) {
            var encoded = overlay.encode(call, me, own);
            if (encoded.isPresent()) {
                return encoded.get();
            }
        }
        return own.write(call, me);
    }

    /** Reads the result of a call as {@link #encode} has encoded the call. */
    static CallResponse decode(Call call, Json result, ClientDialect own) throws UnusableMessageException {
        for (var overlay : OVERLAYS) {
            var response = overlay.decode(call, result, own);
            if (response.isPresent()) {
                return response.get();
            }
        }
        return own.read(call, result);
    }

    /** The newest generation, which a client tries first. */
    public static ClientDialect newest() {
        return of(Generation.V2026_07_28);
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
