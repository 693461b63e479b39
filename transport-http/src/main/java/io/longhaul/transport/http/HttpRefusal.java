package io.longhaul.transport.http;

import java.util.Map;

/**
 * A request that the transport itself turns down.
 *
 * @param status  the HTTP status
 * @param message one sentence for the client that says what to do
 * @param headers further response headers
 */
record HttpRefusal(int status, String message, Map<String, String> headers) {

    HttpRefusal(int status, String message) {
        this(status, message, Map.of());
    }
}
