// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

/** Brings messages from outside to an {@link Endpoint}. Thread-safe. */
public interface ServerTransport extends AutoCloseable {

    /**
     * Starts to serve, and returns when the first message can arrive.
     *
     * @throws java.io.UncheckedIOException where the transport cannot start, such as when the port is taken; the
     *     message says what to do
     */
    void start(Endpoint endpoint);

    /** Whether callers without authorization are all the one local user: stdio, or HTTP on a loopback address. */
    boolean isLocal();

    /** Whether an authorization identifies the callers of this transport. */
    default boolean authorizes() {
        return false;
    }

    /** The open connections and streams; {@link TransportLoad#NONE} where the transport does not count them. */
    default TransportLoad load() {
        return TransportLoad.NONE;
    }

    /** Blocks until the transport has ended: stdio at the end of its input, HTTP when it is closed. */
    void awaitEnd() throws InterruptedException;

    /** Accepts no new messages, and ends the open streams. */
    @Override
    void close();
}
