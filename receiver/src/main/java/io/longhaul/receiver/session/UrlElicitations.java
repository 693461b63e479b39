// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.rpc.RpcError;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The questions at an address that one client was told of, so that it alone is told when they are done with. They are
 * forgotten with the process: the client is told nothing then, which it must be able to bear. Thread-safe.
 */
public final class UrlElicitations {

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

    /** The questions that an error names, which are to be answered before the call is sent again. */
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
