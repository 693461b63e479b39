// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.Json;

/**
 * Passes a request on to another server, whose answer goes to the caller unchanged. Plain blocking Java on a virtual
 * thread, which is interrupted when the call is cancelled. Thread-safe: many calls run at the same time.
 *
 * @param <R> the request: the arguments of a tool or of a prompt, or which resource
 */
@FunctionalInterface
public interface ForwardHandler<R> {

    /**
     * Passes one request on.
     *
     * @return the whole result of a tool or a prompt, or the array of the contents of a resource, in the form of the
     *         protocol
     * @throws McpException the JSON-RPC error that the other server answered
     * @throws Exception    any other exception is an internal error: its details go to the log only
     */
    Json answer(R request, ForwardContext call) throws Exception;
}
