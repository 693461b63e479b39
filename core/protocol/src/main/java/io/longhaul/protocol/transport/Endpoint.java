// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

/** The receiver of all messages of a server's transport. Thread-safe. */
public interface Endpoint {

    /**
     * Accepts one HTTP body or one stdio line. A transport passes the messages of one lasting connection in the order
     * of their arrival. Work that needs this order is done before the method returns, and never blocks.
     *
     * @return the rest of the work, which may block until the message is answered: HTTP runs it on the request's own
     *     thread, stdio on a new virtual thread
     */
    Runnable accept(byte[] message, Exchange exchange);

    /** Serves an HTTP GET: the client offers a stream for messages of the server. Blocks while the stream is open. */
    void listen(Exchange exchange);

    /** Serves an HTTP DELETE: the client ends its session. */
    void leave(Exchange exchange);

    /** Reports a message that the transport has refused and does not pass on, for observers of the server. */
    default void turnedAway(TurnedAway message) {}

    /**
     * The input of a lasting connection has ended, but the connection still takes answers. The endpoint ends requests
     * that would never end by themselves, and answers the others. {@link #closed} follows.
     */
    default void inputEnded(Connection connection) {}

    /** A lasting connection has ended. */
    void closed(Connection connection);
}
