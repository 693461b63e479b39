// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.protocol.json.Json;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a client keeps its calls, so that they outlive it: {@link McpClient#resumeAll} goes on with them. The client
 * also keeps the questions of its server here that it runs as tasks, and goes on with these by itself. A host
 * implements this over its own database. Handles hold the arguments and the results of tools, and answers of people,
 * and are as confidential as those.
 *
 * <p>Implementations are thread-safe. What they throw is logged: a call whose handle cannot be put before its request
 * is not made, and a call that is under way goes on without it.
 */
public interface HandleStore {

    /**
     * Keeps a handle in place of the one with the same id; durable when it returns.
     *
     * @param handle    opaque
     * @param expiresAt when the handle may be removed, or null for never
     */
    void put(String id, Json handle, @Nullable Instant expiresAt);

    /** All handles that have not expired, by their ids. */
    Map<String, Json> all();

    /** Removes a handle; nothing happens where there is none. */
    void remove(String id);
}
