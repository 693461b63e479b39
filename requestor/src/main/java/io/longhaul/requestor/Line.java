package io.longhaul.requestor;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.TransportException;
import java.util.Map;

/** A way to one server on which each request finds its own response. Thread-safe. */
interface Line extends AutoCloseable {

    /** Sends a request and waits for its response. */
    Response ask(Sent sent, boolean resumable) throws TransportException;

    /** Sends a notification or a response. */
    Response tell(Json message, Map<String, String> headers) throws TransportException;

    /** Whether it is of no more use: a lasting connection that has ended. */
    boolean isDead();

    boolean isLasting();

    @Override
    void close();
}
