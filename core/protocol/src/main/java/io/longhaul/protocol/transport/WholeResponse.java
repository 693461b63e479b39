// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import io.longhaul.protocol.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A response with at most one body, as opposed to a stream.
 *
 * @param status  the HTTP status
 * @param headers further response headers
 * @param body    the JSON-RPC message, or null for none
 */
public record WholeResponse(
        int status, Map<String, String> headers, @Nullable Json body) {

    public WholeResponse {
        headers = Map.copyOf(headers);
    }

    public WholeResponse(int status, @Nullable Json body) {
        this(status, Map.of(), body);
    }
}
