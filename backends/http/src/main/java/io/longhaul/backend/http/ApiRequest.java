// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * One request to an API.
 *
 * @param isRepeatable whether it may be sent twice. One that may not gets a connection of its own: the other side may
 *                     close an idle one while the request is written, and nobody could tell whether it was read
 */
record ApiRequest(String method, URI uri, Map<String, String> headers, Optional<Body> body, boolean isRepeatable) {

    ApiRequest {
        headers = Map.copyOf(headers);
    }

    static ApiRequest get(URI uri, Map<String, String> headers) {
        return new ApiRequest("GET", uri, headers, Optional.empty(), true);
    }

    ApiRequest with(Map<String, String> all) {
        return new ApiRequest(method, uri, all, body, isRepeatable);
    }
}
