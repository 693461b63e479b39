// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The client of a request, as the server that reads its bytes knows it. Thread-safe, but for {@link #body}. */
public interface HttpPeer {

    /** The network address of the client. */
    String address();

    /** Reads the body of the request, once; null where it is larger than {@code most} bytes. */
    byte @Nullable [] body(RequestHead head, int most) throws IOException;

    /**
     * The whole request has been read, and is now served for as long as it takes.
     *
     * @throws IOException where the connection was given up just before
     */
    default void requestRead() throws IOException {}

    /** Runs {@code gone} when the client is found to have left. Only while a request is served. */
    void watch(Runnable gone);

    /** Ends the connection, or what the client has of it, under whatever is going on. */
    void cut();
}
