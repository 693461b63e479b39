// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import io.longhaul.protocol.json.Json;
import java.util.Map;
import java.util.Optional;

/**
 * A client's way to one server. Thread-safe: messages of concurrent callers never mix and are never dropped.
 *
 * <p>Over HTTP every message has a reply of its own. A lasting connection, such as stdio, has one stream on which
 * everything arrives, answers included: there {@link #send} gives an empty reply, and the caller finds by id what
 * answers what.
 */
public interface ClientTransport extends AutoCloseable {

    /** Whether everything that the server sends arrives on the one stream of {@link #listen}. */
    boolean isLasting();

    /**
     * Sends one message, and waits until the head of the reply is there: over HTTP until the server has answered or
     * opened a stream.
     *
     * @param headers further HTTP headers, which stdio ignores
     */
    ServerReply send(Json message, Map<String, String> headers) throws TransportException;

    /**
     * Opens the stream of messages that the server sends by itself: an HTTP GET (405 where the server has none;
     * resumes with {@code Last-Event-ID}). On a lasting connection all calls give the one stream of everything.
     */
    ServerReply listen(Map<String, String> headers) throws TransportException;

    /**
     * The same way over HTTP with SSE, the deprecated transport of 2024-11-05, which is a lasting connection: a message
     * has a reply that says whether the server has taken it, and its response comes on the stream. Closing it closes
     * this one, too.
     *
     * @return empty where this is not HTTP
     */
    default Optional<ClientTransport> overSse() {
        return Optional.empty();
    }

    /** Ends the session: an HTTP DELETE. Nothing on a lasting connection. */
    ServerReply leave(Map<String, String> headers) throws TransportException;

    /** Ends the connection and all open replies. A server that this transport has started is stopped. */
    @Override
    void close();
}
