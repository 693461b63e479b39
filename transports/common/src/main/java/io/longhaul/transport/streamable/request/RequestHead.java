// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable.request;

import java.util.Optional;

/**
 * The head of a request.
 *
 * @param method  the method as it was sent
 * @param path    the decoded path
 * @param query   the query as it was sent, empty where there is none
 * @param fields  the header fields, where Host is that of the target
 * @param framing where the body ends
 * @param old     whether the request is of HTTP/1.0, whose clients know no chunks and send no further request
 */
public record RequestHead(String method, String path, String query, Fields fields, Framing framing, boolean old) {

    /** How the end of a body is found. */
    public sealed interface Framing {

        /** Whether the body is known to have more bytes than {@code most}. */
        default boolean isOver(long most) {
            return this instanceof Length length && length.bytes() > most;
        }

        /** After so many bytes. */
        record Length(long bytes) implements Framing {}

        /** At its last chunk, or its last frame. */
        record Chunked() implements Framing {}
    }

    /** Whether a body follows. */
    public boolean hasBody() {
        return framing instanceof Framing.Chunked || framing.isOver(0);
    }

    /** Whether the client sends no further request on this connection. */
    public boolean isLast() {
        return old || fields.list("Connection").contains("close");
    }

    /** Whether the client waits for a 100 response before it sends the body. */
    public boolean waitsToContinue() {
        return !old && hasBody() && fields.list("Expect").contains("100-continue");
    }

    /** A parameter of the query, as it was sent. */
    public Optional<String> parameter(String name) {
        for (var pair : query.split("&")) {
            if (pair.startsWith(name + "=")) {
                return Optional.of(pair.substring(name.length() + 1));
            }
        }
        return Optional.empty();
    }
}
