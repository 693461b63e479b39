// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import java.util.List;
import java.util.Optional;

/**
 * What a server sends back to one message: no event, one (a plain JSON body) or many (an event stream), so that a
 * caller reads each kind alike. One thread reads; any thread closes.
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
     * @throws TransportException when the connection breaks, is idle for too long, or gives something else than JSON
     */
    Optional<ServerEvent> next() throws TransportException;

    /**
     * Reads no further. An open stream is closed, which a stateless server takes as the cancellation of its request.
     */
    @Override
    void close();
}
