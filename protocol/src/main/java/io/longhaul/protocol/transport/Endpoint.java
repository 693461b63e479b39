// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

/** What a server's transport hands every message to. Thread-safe. */
public interface Endpoint {

    /**
     * Takes one HTTP body or one stdio line. Messages of one lasting connection are given in the order in which they
     * arrived; what must be seen in that order is done before this returns, and never blocks.
     *
     * @return the rest, which may block until the message is answered: HTTP runs it on the request's own thread,
     *     stdio on a new virtual one
     */
    Runnable accept(byte[] message, Exchange exchange);

    /** Serves an HTTP GET: the client offers a stream for messages of the server. Blocks while it is open. */
    void listen(Exchange exchange);

    /** Serves an HTTP DELETE: the client ends its session. */
    void leave(Exchange exchange);

    /** A transport has turned a message away, which nothing else is given here: for those who watch a server. */
    default void turnedAway(TurnedAway message) {}

    /**
     * A lasting connection brings no more messages, but still takes answers: what would go on without end is ended
     * now, and the rest is answered. {@link #closed} follows.
     */
    default void inputEnded(Connection connection) {}

    /** A lasting connection has ended. */
    void closed(Connection connection);
}
