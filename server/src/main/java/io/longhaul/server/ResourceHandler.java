// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import org.jspecify.annotations.Nullable;

/** Gives what a resource holds, in plain blocking Java on a virtual thread. Thread-safe: many read at the same time. */
@FunctionalInterface
public interface ResourceHandler {

    /**
     * Reads one resource.
     *
     * @return a string, a {@code byte[]}, {@link ResourceContents} or a list of these; anything else is written as JSON
     *     text; null where there is no such resource
     * @throws McpException a JSON-RPC error for the caller
     * @throws Exception    anything else is an internal error: the log has all of it, the caller nothing but that
     */
    @Nullable
    Object read(ResourceRequest request, RequestContext call) throws Exception;
}
