// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.exchange;

import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * One request to an API.
 *
 * @param isRepeatable whether the request may be sent twice. A request that may not gets a new connection: the API may
 *                     close an idle connection while the request is written, and then it is unknown whether the API has
 *                     read it
 */
public record ApiRequest(
        String method, URI uri, Map<String, String> headers, Optional<RequestBody> body, boolean isRepeatable) {

    public ApiRequest {
        headers = Map.copyOf(headers);
    }

    public static ApiRequest get(URI uri, Map<String, String> headers) {
        return new ApiRequest("GET", uri, headers, Optional.empty(), true);
    }

    public ApiRequest with(URI whole, Map<String, String> all) {
        return new ApiRequest(method, whole, all, body, isRepeatable);
    }
}
