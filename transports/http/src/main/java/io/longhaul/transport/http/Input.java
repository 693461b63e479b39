// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads the bytes and lines that a client sends. For the thread of its connection alone. */
final class Input {

    private static final byte[] NOTHING = new byte[0];

    private final Source source;
    private byte[] bytes = NOTHING;
    private int at;

    /** A source of bytes. */
    @FunctionalInterface
    interface Source {
        /** Blocks until bytes arrive; an empty array at the end. */
        byte[] get() throws IOException;
    }

    Input(Source source) {
        this.source = source;
    }

    /** Whether received bytes have not been read yet. */
    boolean hasReceived() {
        return at < bytes.length;
    }

    /** Whether the input has ended; blocks until that is known. */
    boolean isAtEnd() throws IOException {
        if (!hasReceived()) {
            bytes = source.get();
            at = 0;
        }
        return !hasReceived();
    }

    /** The next byte. */
    int next() throws IOException {
        requireMore();
        return bytes[at++] & 0xff;
    }

    /** Reads at least one byte; returns the number of bytes. */
    int read(byte[] target, int from, int most) throws IOException {
        requireMore();
        var taken = Math.min(most, bytes.length - at);
        System.arraycopy(bytes, at, target, from, taken);
        at += taken;
        return taken;
    }

    private void requireMore() throws IOException {
        if (isAtEnd()) {
            throw new EOFException("The client has left in the middle of a request");
        }
    }

    /** A line that was received in one piece and is valid; null where the line must be read byte by byte. */
    private @Nullable String receivedLine(int most) {
        for (var i = at; i < bytes.length - 1 && bytes[i] != '\n'; i++) {
            if (bytes[i] == '\r') {
                if (bytes[i + 1] != '\n' || i - at > most) {
                    return null;
                }
                var line = new String(bytes, at, i - at, StandardCharsets.ISO_8859_1);
                at = i + 2;
                return line;
            }
        }
        return null;
    }

    /**
     * Reads a line without its end. Only CR LF ends a line: "a recipient MAY recognize a single LF as a line
     * terminator", but where a proxy and a server differ in that, requests can be smuggled past the proxy.
     *
     * @param most    the most bytes of the line
     * @param tooLong the fault of a longer line
     */
    String line(int most, Malformed tooLong) throws IOException {
        var whole = receivedLine(most);
        if (whole != null) {
            return whole;
        }
        var line = new StringBuilder();
        for (var c = next(); c != '\r'; c = next()) {
            if (c == '\n') {
                throw Malformed.because("A line of the request does not end with CR LF");
            }
            if (line.length() == most) {
                throw tooLong;
            }
            line.append((char) c);
        }
        if (next() != '\n') {
            throw Malformed.because("A line of the request has a CR in it");
        }
        return line.toString();
    }
}
