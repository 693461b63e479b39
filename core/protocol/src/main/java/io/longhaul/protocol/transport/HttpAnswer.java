// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import io.longhaul.protocol.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An answer with at most one body, as opposed to a stream.
 *
 * @param status  the HTTP status
 * @param headers further response headers
 * @param body    the JSON-RPC message, or null for none
 */
public record HttpAnswer(
        int status, Map<String, String> headers, @Nullable Json body) {

    public HttpAnswer {
        headers = Map.copyOf(headers);
    }

    public HttpAnswer(int status, @Nullable Json body) {
        this(status, Map.of(), body);
    }
}
