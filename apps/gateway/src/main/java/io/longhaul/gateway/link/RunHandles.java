// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.link;

import io.longhaul.client.HandleStore;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.StaleRunException;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonDigest;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.requestor.Registration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the handle of a call in its task. The handle then lives as long as the task, moves to another node with the
 * task, and is written in the same transactions. Calls without a task are not kept. Thread-safe.
 */
public final class RunHandles implements HandleStore {

    private static final String UPSTREAM = "upstream";
    private static final String KEY = "key";
    private static final String CALL = "call";
    private static final String PIECES = "pieces";
    private static final int KEY_BYTES = 16;

    private final String upstream;
    private final Map<String, Run> runs = new ConcurrentHashMap<>();

    RunHandles(String upstream) {
        this.upstream = upstream;
    }

    /** The upstream that a run has called; empty where the run has called none yet. */
    public static Optional<String> upstreamOf(Run run) {
        return run.handle()
                .flatMap(handle -> Optional.ofNullable(
                        JsonReader.members(Json.raw(handle.bytes())).text(UPSTREAM)));
    }

    /** Whether a run has a call that may have begun. */
    public static boolean hasCall(Run run) {
        return run.handle()
                .filter(handle -> JsonReader.members(Json.raw(handle.bytes())).get(CALL) != null)
                .isPresent();
    }

    /** A call has certainly not begun, so that another one may be made in its place. */
    public void forgetCall(Run run) {
        run.saveHandle(Payload.of(
                begun(key(run), run.partialCount()).endObject().toJson().bytes()));
    }

    private JsonWriter begun(String key, int pieces) {
        var json = new JsonWriter().beginObject().name(UPSTREAM).string(upstream);
        return json.name(PIECES).number(pieces).name(KEY).string(key);
    }

    /**
     * How many pieces of output the task has taken since its handle was kept. The server tells them again to a client
     * that goes on by that handle.
     */
    public static int piecesSinceKept(Run run) {
        return run.handle()
                .map(handle -> JsonTree.read(handle.bytes()).path(PIECES).asInt(-1))
                .filter(kept -> kept >= 0)
                .map(kept -> run.partialCount() - kept)
                .orElse(0);
    }

    /**
     * The creation key of the call of a run. The key is a digest, because the id may be the only protection of a task,
     * and an upstream must not learn it.
     */
    public static String key(Run run) {
        return run.handle()
                .map(handle -> JsonReader.members(Json.raw(handle.bytes())).text(KEY))
                .orElseGet(() -> digest(new JsonWriter().string("longhaul-call-" + run.id())));
    }

    private static String digest(JsonWriter text) {
        return HexFormat.of().formatHex(JsonDigest.sha256(text.toJson()), 0, KEY_BYTES);
    }

    /** Keeps the handle of the call of a run, until closed. */
    public Registration keep(Run run) {
        var id = key(run);
        runs.put(id, run);
        return () -> runs.remove(id, run);
    }

    /**
     * Keeps the handle in the task, except for an ended call, whose run stores the outcome at once.
     *
     * @throws CancellationException where the run has lost its task: a call that has not gone out is then not made
     */
    @Override
    public void put(String id, Json handle, @Nullable Instant expiresAt) {
        var run = runs.get(id);
        if (run == null || expiresAt != null) {
            return;
        }
        var json = begun(id, run.partialCount());
        try {
            run.saveHandle(
                    Payload.of(json.name(CALL).raw(handle).endObject().toJson().bytes()));
        } catch (StaleRunException e) {
            throw new CancellationException(e.getMessage());
        }
    }

    @Override
    public boolean keeps(String id) {
        return runs.containsKey(id);
    }

    @Override
    public Map<String, Json> all() {
        var all = new HashMap<String, Json>();
        runs.forEach((id, run) -> run.handle()
                .map(handle -> JsonReader.members(Json.raw(handle.bytes())).get(CALL))
                .ifPresent(call -> all.put(id, call)));
        return all;
    }

    @Override
    public void remove(String id) {
        // The handle is removed with its task.
    }
}
