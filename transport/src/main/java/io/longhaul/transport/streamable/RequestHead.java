// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable;

import java.util.Optional;

/**
 * What a request says before its body.
 *
 * @param method  as it was sent
 * @param path    without what encodes characters
 * @param query   as it was sent, empty where there is none
 * @param fields  the header fields, where Host is that of the target
 * @param framing where the body ends
 * @param old     whether it is of HTTP/1.0, whose clients know no chunks and no further request
 */
public record RequestHead(String method, String path, String query, Fields fields, Framing framing, boolean old) {

    /** Where a body ends. */
    public sealed interface Framing {

        /** Whether it is already known that the body has more bytes than {@code most}. */
        default boolean isOver(long most) {
            return this instanceof Length length && length.bytes() > most;
        }

        /** After so many bytes. */
        record Length(long bytes) implements Framing {}

        /** Where its last chunk says so, or the frame that is its last one. */
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

    /** Whether the client waits to be told to send its body. */
    public boolean waitsToContinue() {
        return !old && hasBody() && fields.list("Expect").contains("100-continue");
    }

    /** A parameter of the query, as it was sent. */
    Optional<String> parameter(String name) {
        for (var pair : query.split("&")) {
            if (pair.startsWith(name + "=")) {
                return Optional.of(pair.substring(name.length() + 1));
            }
        }
        return Optional.empty();
    }
}
