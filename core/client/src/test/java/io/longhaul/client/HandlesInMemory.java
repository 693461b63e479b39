// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.protocol.json.Json;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The database of a host. */
public class HandlesInMemory implements HandleStore {
    public final Map<String, Json> rows = new ConcurrentHashMap<>();
    public final Map<String, Instant> expiries = new ConcurrentHashMap<>();

    @Override
    public void put(String id, Json handle, @Nullable Instant expiresAt) {
        rows.put(id, handle);
        if (expiresAt != null) {
            expiries.put(id, expiresAt);
        }
    }

    @Override
    public Map<String, Json> all() {
        return Map.copyOf(rows);
    }

    @Override
    public void remove(String id) {
        rows.remove(id);
    }
}
