// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.exchange;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.client.TransportException;
import java.util.Map;

/** A connection to one server, which gives each request its own response. Thread-safe. */
public interface ServerConnection extends AutoCloseable {

    /**
     * Sends a request and waits for its response.
     *
     * @param resumable whether a stream that breaks before the response may be resumed
     */
    ExchangeResult exchange(PendingRequest request, boolean resumable) throws TransportException;

    /** Sends a notification or a response. */
    ExchangeResult post(Json message, Map<String, String> headers) throws TransportException;

    /** Whether the connection has ended and cannot be used again. */
    default boolean hasEnded() {
        return false;
    }

    /** Whether all messages of the server arrive on one stream, as over standard input and output. */
    default boolean isLasting() {
        return false;
    }

    @Override
    void close();
}
