// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The head of an HTTP/1.1 message, with as much of HTTP as a balancer needs to find the end of the message.
 *
 * @param lines the first line, and the headers
 */
record HttpHead(List<String> lines) {

    private static final int LONGEST_LINE = 64 * 1024;
    private static final int PIECE = 8 * 1024;

    /** The next head, or null where the other side has ended the connection. */
    static @Nullable HttpHead read(InputStream in) throws IOException {
        List<String> lines = new ArrayList<>();
        var line = line(in);
        while (line != null && !line.isEmpty()) {
            lines.add(line);
            line = line(in);
        }
        return line == null ? null : new HttpHead(List.copyOf(lines));
    }

    private static @Nullable String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 || line.length() > LONGEST_LINE) {
                return null;
            }
            line.append((char) next);
        }
        return line.toString().stripTrailing();
    }

    private static String needed(InputStream in) throws IOException {
        var line = line(in);
        if (line == null) {
            throw new EOFException("a message was cut off");
        }
        return line;
    }

    Optional<String> header(String name) {
        return lines.stream()
                .filter(line -> isOf(name, line))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst();
    }

    private static boolean isOf(String name, String line) {
        return line.regionMatches(true, 0, name + ":", 0, name.length() + 1);
    }

    boolean saysClose() {
        return header("Connection").filter("close"::equalsIgnoreCase).isPresent();
    }

    /** This head for the next connection, which ends with this message, or goes on after it. */
    HttpHead forwarded(boolean closes) {
        return new HttpHead(Stream.concat(
                        lines.stream().filter(line -> !isOf("Connection", line)),
                        closes ? Stream.of("Connection: close") : Stream.empty())
                .toList());
    }

    void write(OutputStream out) throws IOException {
        out.write((String.join("\r\n", lines) + "\r\n\r\n").getBytes(ISO_8859_1));
    }

    int status() throws IOException {
        try {
            return Integer.parseInt(lines.getFirst().split(" ", 3)[1]);
        } catch (RuntimeException e) {
            throw new IOException("no response of HTTP: " + lines, e);
        }
    }

    private boolean isChunked() {
        return header("Transfer-Encoding").isPresent();
    }

    /** Whether the message says where its body ends. A response without that ends with its connection. */
    boolean hasEnd() {
        return isChunked() || header("Content-Length").isPresent();
    }

    /** Copies the body as it comes: each part that has arrived goes on at once. */
    void copyBody(InputStream in, OutputStream out) throws IOException {
        if (isChunked()) {
            copyChunks(in, out);
        } else {
            copy(in, out, header("Content-Length").map(Long::parseLong).orElse(0L));
        }
        out.flush();
    }

    private static void copyChunks(InputStream in, OutputStream out) throws IOException {
        long size;
        do {
            var line = needed(in);
            size = Long.parseLong(line.split(";", 2)[0].strip(), 16);
            out.write((line + "\r\n").getBytes(ISO_8859_1));
            copy(in, out, size == 0 ? 0 : size + 2);
        } while (size > 0);
        String trailer;
        do {
            trailer = needed(in);
            out.write((trailer + "\r\n").getBytes(ISO_8859_1));
        } while (!trailer.isEmpty());
    }

    private static void copy(InputStream in, OutputStream out, long size) throws IOException {
        var piece = new byte[PIECE];
        for (long left = size; left > 0; ) {
            int read = in.read(piece, 0, (int) Math.min(left, PIECE));
            if (read < 0) {
                throw new EOFException("a body was cut off");
            }
            out.write(piece, 0, read);
            left -= read;
            if (in.available() == 0) {
                out.flush();
            }
        }
    }
}
