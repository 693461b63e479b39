// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.handle;

import io.longhaul.client.HandleStore;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.requestor.AnswerTaskRows;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;

/** Keeps the tasks that a client runs for its server beside the handles of calls, in the store of the host. */
public record HandleStoreRows(HandleStore store, String server, Set<String> known) implements AnswerTaskRows {

    private static final String HOSTED = "hosted";
    private static final String SERVER = "server";
    private static final String GENERATION = "generation";

    public HandleStoreRows(HandleStore store, String server) {
        this(store, server, ConcurrentHashMap.newKeySet());
    }

    /** Whether a row of the store is a task of this kind, and no handle of a call. */
    static boolean isOne(Json row) {
        return JsonTree.read(row).has(HOSTED);
    }

    @Override
    public void put(Generation generation, String taskId, Json row, Instant expiresAt) {
        var envelope = JsonTree.object().put(SERVER, server).put(GENERATION, generation.label());
        envelope.set(HOSTED, JsonTree.read(row));
        known.add(id(taskId));
        store.put(id(taskId), JsonTree.write(envelope), expiresAt);
    }

    @Override
    public List<Json> take(Generation generation) {
        return store.all().entrySet().stream()
                .filter(row -> isOf(generation, JsonTree.read(row.getValue())) && known.add(row.getKey()))
                .map(row -> JsonTree.write(JsonTree.read(row.getValue()).path(HOSTED)))
                .toList();
    }

    private boolean isOf(Generation generation, JsonNode row) {
        return row.has(HOSTED)
                && row.path(SERVER).asString("").equals(server)
                && row.path(GENERATION).asString("").equals(generation.label());
    }

    @Override
    public void remove(String taskId) {
        store.remove(id(taskId));
    }

    /** The prefix keeps these ids apart from the ids of calls, which are creation keys. */
    private static String id(String taskId) {
        return "hosted task " + taskId;
    }
}
