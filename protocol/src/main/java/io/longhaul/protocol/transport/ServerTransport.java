// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

/** Brings messages from outside to an {@link Endpoint}. Thread-safe. */
public interface ServerTransport extends AutoCloseable {

    /**
     * Starts to serve, and returns when the first message can arrive.
     *
     * @throws java.io.UncheckedIOException with a message that says what to do, such as when the port is taken
     */
    void start(Endpoint endpoint);

    /** Whether callers without authorization are all the one local user: stdio, or HTTP on a loopback address. */
    boolean isLocal();

    /** Whether an authorization tells its callers apart. */
    default boolean authorizes() {
        return false;
    }

    /** What it has open now; {@link TransportLoad#NONE} where it does not count that. */
    default TransportLoad load() {
        return TransportLoad.NONE;
    }

    /** Blocks until the transport has ended: stdio at the end of its input, HTTP when it is closed. */
    void awaitEnd() throws InterruptedException;

    /** Takes no new messages, and ends the open streams. */
    @Override
    void close();
}
