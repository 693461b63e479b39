// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport.client;

import io.longhaul.protocol.json.Json;
import java.util.Map;
import java.util.Optional;

/**
 * The transport of a client to one server. Thread-safe: messages of concurrent callers never mix and are never dropped.
 *
 * <p>Over HTTP every message has a reply of its own. A lasting connection, such as stdio, has one stream on which
 * everything arrives, answers included: there {@link #send} returns an empty reply, and the caller matches answers by
 * id.
 */
public interface ClientTransport extends AutoCloseable {

    /** Whether everything that the server sends arrives on the one stream of {@link #listen}. */
    boolean isLasting();

    /**
     * Sends one message, and waits for the head of the reply: over HTTP until the server has answered or opened a
     * stream.
     *
     * @param headers further HTTP headers, which stdio ignores
     */
    ServerReply send(Json message, Map<String, String> headers) throws TransportException;

    /**
     * Opens the stream of messages that the server sends by itself: an HTTP GET (405 where the server has no such
     * stream; resumes with {@code Last-Event-ID}). On a lasting connection all calls return the one stream of
     * everything.
     */
    ServerReply listen(Map<String, String> headers) throws TransportException;

    /**
     * A transport to the same server over HTTP with SSE, the deprecated transport of 2024-11-05. It is a lasting
     * connection: the reply to a message says whether the server accepted it, and the response comes on the stream.
     * Closing that transport closes this one, too.
     *
     * @return empty where this transport is not HTTP
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
