// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable.request;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The client of a request, as seen by the HTTP server. Thread-safe, except {@link #body}. */
public interface HttpPeer {

    /** The network address of the client. */
    String address();

    /** Reads the body of the request, once; null where it is larger than {@code most} bytes. */
    byte @Nullable [] body(RequestHead head, int most) throws IOException;

    /**
     * Tells the server that the whole request has been read. From now on, its time is not limited.
     *
     * @throws IOException where the connection was cut just before
     */
    default void requestRead() throws IOException {}

    /** Runs {@code gone} when the server notices that the client has left. Only while a request is served. */
    void watch(Runnable gone);

    /** Whether {@link #watch} tells at once that the client has left, rather than with a later write. */
    boolean noticesAtOnce();

    /** Cuts the connection at once, or the client's stream on it, whatever is being read or written. */
    void cut();

    /** Ends a response that has begun and lacks its rest, so that the client does not take it for the whole. */
    default void breakOff() {
        cut();
    }
}
