// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.protocol.json.Json;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the calls of a client, so that they outlive the client: {@link McpClient#resumeAll} continues them. The store
 * also keeps the questions of a server that the client runs as tasks; the client continues those by itself. A host
 * implements this over its own database. Handles hold arguments and results of tools and answers of people, and are as
 * confidential as these are.
 *
 * <p>Implementations are thread-safe. The client logs the exceptions of a store. A call whose handle cannot be put
 * before its request is not made. A call that is under way goes on without its handle.
 */
public interface HandleStore {

    /**
     * Keeps a handle in place of any earlier handle with the same id. The handle is durable when this method returns.
     *
     * @param handle    opaque
     * @param expiresAt when the handle may be removed, or null for never
     * @throws CancellationException where the host does not want the call any more; the client logs that as no error
     */
    void put(String id, Json handle, @Nullable Instant expiresAt);

    /** Whether a handle of this id is kept: the client makes none of other calls. */
    default boolean keeps(String id) {
        return true;
    }

    /** All handles that have not expired, by their ids. */
    Map<String, Json> all();

    /** Removes a handle; nothing happens where there is none. */
    void remove(String id);
}
