// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable;

import java.io.IOException;

/** The way back of the response to one request. For one thread at a time. */
public interface Responder {

    /**
     * Sets a header of the response.
     *
     * @throws IllegalArgumentException where it would be something else than one header field
     */
    Responder header(String name, String value);

    /** Forgets the headers. */
    void clear();

    /** Whether the response has been sent, or begun to be. */
    boolean isSent();

    /** Sends a response in one piece, whose body may be empty. */
    void send(int status, byte[] body) throws IOException;

    /**
     * Begins a response that is sent in parts. Its head goes out with its first bytes. A header {@code Content-Length},
     * where it was set, is the length of all parts.
     */
    Stream stream(int status);

    /** The thread that has answered stays with its work: whoever has read the request goes on without it. */
    void detach();

    /** The body of a response in parts. For one thread at a time. */
    interface Stream {

        /** Writes a part that is not empty, at once; blocks while the client does not take it. */
        void write(byte[] part) throws IOException;

        /** Says that the body has ended. */
        void end() throws IOException;
    }
}
