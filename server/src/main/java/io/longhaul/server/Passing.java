// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.Json;

/**
 * Passes what a caller asks on to another server, whose answer goes out as it is. In plain blocking Java on a virtual
 * thread, which is interrupted when the call is cancelled. Thread-safe: many calls run at the same time.
 *
 * @param <R> what is asked: the arguments of a tool or of a prompt, or which resource
 */
@FunctionalInterface
public interface Passing<R> {

    /**
     * Passes one request on.
     *
     * @return the whole result of a tool or a prompt, or the array of what a resource holds, as the protocol has it
     * @throws McpException the JSON-RPC error that the other server answered
     * @throws Exception    anything else is an internal error: the log has all of it, the caller nothing but that
     */
    Json answer(R request, PassingContext call) throws Exception;
}
