// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.requestor.LongCall;
import io.longhaul.requestor.plan.ClientPlanner;
import org.jspecify.annotations.Nullable;

/**
 * What a server says of itself. For display only: the client cannot verify these values.
 *
 * @param name         of the server
 * @param version      of the server
 * @param generation   in which the client speaks to it
 * @param hasTasks     whether calls of tools can become tasks at this server
 * @param capabilities the whole capabilities object
 * @param instructions for a model, or null
 */
public record ServerInfo(
        String name,
        String version,
        Generation generation,
        boolean hasTasks,
        Json capabilities,
        @Nullable String instructions) {

    /** What a long call of a tool becomes at this server, where the server has tasks. */
    public LongCall longCall() {
        return ClientPlanner.longCall(generation);
    }
}
