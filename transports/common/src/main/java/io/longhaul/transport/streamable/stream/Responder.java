// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable.stream;

import io.longhaul.transport.streamable.request.Fields;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Sends the response to one request. For one thread at a time. */
public abstract class Responder {

    private static final int NO_CONTENT = 204;

    /** The header fields, in their order. */
    protected final Map<String, String> headers = new LinkedHashMap<>();

    private boolean sent;

    /**
     * Sets a header of the response.
     *
     * @throws IllegalArgumentException where the result would not be exactly one header field
     */
    public final Responder header(String name, String value) {
        if (!Fields.isToken(name) || !Fields.isValue(value)) {
            throw new IllegalArgumentException("This cannot be a header field: " + name);
        }
        headers.put(name, value);
        return this;
    }

    /** Removes all headers. */
    public final void clear() {
        headers.clear();
    }

    /** Whether the response has been sent, or has begun. */
    public final boolean isSent() {
        return sent;
    }

    /** Begins the response, once. */
    protected final void begin() {
        if (sent) {
            throw new IllegalStateException("This request has been answered already");
        }
        sent = true;
    }

    /** "A server MUST NOT send a Content-Length header field in any response with a status code of ... 204." */
    protected static boolean hasLength(int status) {
        return status != NO_CONTENT;
    }

    /** Sends a complete response, whose body may be empty. */
    public abstract void send(int status, byte[] body) throws IOException;

    /**
     * Begins a response that is sent in parts. Its head goes out with its first bytes. A header {@code Content-Length},
     * where it was set, is the length of all parts.
     */
    public abstract Stream stream(int status);

    /** Keeps the answering thread for its work: the server continues with the connection on another thread. */
    public abstract void detach();

    /** The body of a response in parts. For one thread at a time. */
    public interface Stream {

        /** Writes a part that is not empty, at once; blocks while the client does not read. */
        void write(byte[] part) throws IOException;

        /** Ends the body. */
        void end() throws IOException;
    }
}
