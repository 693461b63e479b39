// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import org.jspecify.annotations.Nullable;

/**
 * Gives the contents of a resource, in plain blocking Java on a virtual thread. Thread-safe: many reads run at the same
 * time.
 */
@FunctionalInterface
public interface ResourceHandler {

    /**
     * Reads one resource.
     *
     * @return a string, a {@code byte[]}, {@link ResourceContents} or a list of these; any other value is written as
     *         JSON text; null where there is no such resource
     * @throws McpException a JSON-RPC error for the caller
     * @throws Exception    any other exception is an internal error: its details go to the log only
     */
    @Nullable
    Object read(ResourceRequest request, RequestContext call) throws Exception;
}
