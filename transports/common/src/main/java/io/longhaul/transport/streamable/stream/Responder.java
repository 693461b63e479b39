// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable.stream;

import java.io.IOException;

/** Sends the response to one request. For one thread at a time. */
public interface Responder {

    /**
     * Sets a header of the response.
     *
     * @throws IllegalArgumentException where the result would not be exactly one header field
     */
    Responder header(String name, String value);

    /** Removes all headers. */
    void clear();

    /** Whether the response has been sent, or has begun. */
    boolean isSent();

    /** Sends a complete response, whose body may be empty. */
    void send(int status, byte[] body) throws IOException;

    /**
     * Begins a response that is sent in parts. Its head goes out with its first bytes. A header {@code Content-Length},
     * where it was set, is the length of all parts.
     */
    Stream stream(int status);

    /** Keeps the answering thread for its work: the server continues with the connection on another thread. */
    void detach();

    /** The body of a response in parts. For one thread at a time. */
    interface Stream {

        /** Writes a part that is not empty, at once; blocks while the client does not read. */
        void write(byte[] part) throws IOException;

        /** Ends the body. */
        void end() throws IOException;
    }
}
