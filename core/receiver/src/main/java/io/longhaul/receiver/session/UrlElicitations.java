// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.rpc.RpcError;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The elicitations at a web address that one client knows, so that only this client is told when they are complete.
 * They are lost with the process: the client is then not told, which clients must tolerate. Thread-safe.
 */
public final class UrlElicitations implements Session.Part {

    private static final int MOST = 1_000;
    private static final String ID = "elicitationId";

    private final Set<String> ids = ConcurrentHashMap.newKeySet();

    /** @param params of a question of any kind */
    public void remember(Json params) {
        Json id = JsonReader.members(params).get(ID);
        if (id != null && ids.size() < MOST) {
            ids.add(JsonReader.text(id));
        }
    }

    /** Remembers the elicitations that an error names, and that the client must complete before it repeats the call. */
    public void remember(RpcError error) {
        Json data = error.code() == RpcError.URL_ELICITATION_REQUIRED ? error.data() : null;
        Json all = data == null ? null : JsonReader.members(data).get("elicitations");
        if (all != null) {
            JsonReader.elements(all).forEach(this::remember);
        }
    }

    public boolean contains(String id) {
        return ids.contains(id);
    }

    public void forget(@Nullable String id) {
        if (id != null) {
            ids.remove(id);
        }
    }
}
