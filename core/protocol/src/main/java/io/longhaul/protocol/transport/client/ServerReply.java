// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport.client;

import java.util.List;
import java.util.Optional;

/**
 * The reply of a server to one message, as a sequence of events: none, one (a plain JSON body) or many (an event
 * stream). One thread reads; any thread may close.
 */
public interface ServerReply extends AutoCloseable {

    /** The HTTP status; 202 on a lasting connection. */
    int status();

    /** An HTTP header by its name, without regard to case; always empty on a lasting connection. */
    Optional<String> header(String name);

    /** All values of an HTTP header that a server may send more than once. */
    default List<String> headers(String name) {
        return header(name).stream().toList();
    }

    /**
     * Waits for the next event.
     *
     * @return empty at the end, and after {@link #close}
     * @throws TransportException when the connection breaks, is idle for too long, or the data is not JSON
     */
    Optional<StreamEvent> next() throws TransportException;

    /** Stops reading. An open stream is closed; a stateless server takes that as the cancellation of the request. */
    @Override
    void close();
}
