// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What a client sends, byte by byte and line by line. For the thread of its connection alone. */
final class Input {

    private static final byte[] NOTHING = new byte[0];

    private final Source source;
    private byte[] bytes = NOTHING;
    private int at;

    /** Where the bytes come from. */
    @FunctionalInterface
    interface Source {
        /** Blocks until there are bytes; none at the end. */
        byte[] get() throws IOException;
    }

    Input(Source source) {
        this.source = source;
    }

    /** Whether something was received that is not yet read. */
    boolean hasReceived() {
        return at < bytes.length;
    }

    /** Whether nothing follows; blocks until that is known. */
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

    /** Reads some bytes, one at least; gives how many. */
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

    /** A line that has been received in one piece and is good; null where it has to be read byte by byte. */
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
     * Reads a line without its end. Only CR LF ends one: "a recipient MAY recognize a single LF as a line terminator",
     * but where two servers in a row differ in that, requests are smuggled past the first one.
     *
     * @param most    the bytes that it may have
     * @param tooLong what is wrong with a longer one
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
