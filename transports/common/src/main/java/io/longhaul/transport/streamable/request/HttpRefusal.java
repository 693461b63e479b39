// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable.request;

import java.util.Map;

/**
 * The refusal of a request by the transport itself.
 *
 * @param status  the HTTP status
 * @param message one sentence for the client that says what to do
 * @param headers further response headers
 */
public record HttpRefusal(int status, String message, Map<String, String> headers) {

    public HttpRefusal(int status, String message) {
        this(status, message, Map.of());
    }
}
