// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import io.longhaul.transport.streamable.request.Fields;
import io.longhaul.transport.streamable.request.RequestHead.Framing;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the body of a request. */
final class BodyReader {

    private static final int FIRST_BYTES = 8 * 1024;
    private static final int CHUNK_LINE_BYTES = 4 * 1024;

    /** "A recipient MUST ignore unrecognized chunk extensions", and none is recognized. */
    private static final Pattern CHUNK = Pattern.compile("([0-9A-Fa-f]+)[ \t]*(;.*)?");

    private BodyReader() {}

    /** The body, or null where it is larger than {@code most} bytes; then a part of it is unread. */
    static byte @Nullable [] read(Input input, Framing framing, int most) throws IOException {
        if (framing.isOver(most)) {
            return null;
        }
        return switch (framing) {
            case Framing.Length length -> plain(input, (int) length.bytes());
            case Framing.Chunked chunked -> chunked(input, most);
        };
    }

    /** Reads a body of known length. The buffer grows with the received bytes, since a client can claim any length. */
    private static byte[] plain(Input input, int length) throws IOException {
        var body = new byte[Math.min(length, FIRST_BYTES)];
        for (var read = 0; read < length; ) {
            if (read == body.length) {
                body = Arrays.copyOf(body, Math.min(length, body.length * 2));
            }
            read += input.read(body, read, body.length - read);
        }
        return body;
    }

    private static byte @Nullable [] chunked(Input input, int most) throws IOException {
        var body = new ByteArrayOutputStream();
        var beside = HeadReader.HEADER_BYTES;
        while (true) {
            var line = input.line(CHUNK_LINE_BYTES, Malformed.because("The line before a chunk is too long"));
            var chunk = CHUNK.matcher(line);
            if (!chunk.matches() || !Fields.isValue(line)) {
                throw Malformed.because("A chunk of the body does not begin with its size");
            }
            beside -= line.length() - chunk.end(1);
            if (beside < 0) {
                throw Malformed.because("The chunks of the body say more beside their sizes than this server reads");
            }
            var size = size(chunk.group(1));
            if (size > most - body.size()) {
                return null;
            }
            if (size == 0) {
                skipTrailers(input, beside);
                return body.toByteArray();
            }
            body.writeBytes(plain(input, size));
            if (input.next() != '\r' || input.next() != '\n') {
                throw Malformed.because("A chunk of the body is not as long as it says");
            }
        }
    }

    /** The size of a chunk; the largest int for any larger size. */
    private static int size(String hex) {
        var digits = hex.replaceFirst("^0+(?=.)", "");
        return digits.length() > 7 ? Integer.MAX_VALUE : Integer.parseInt(digits, 16);
    }

    /** Skips the trailer fields, which the server does not need. */
    private static void skipTrailers(Input input, int most) throws IOException {
        var tooLong = new Malformed(431, "The fields after the body are larger than this server reads");
        var left = most;
        for (var line = input.line(left, tooLong); !line.isEmpty(); line = input.line(left, tooLong)) {
            left = Math.max(0, left - line.length() - 2);
        }
    }
}
