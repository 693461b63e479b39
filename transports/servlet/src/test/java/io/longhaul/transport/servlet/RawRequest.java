// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A client that sends what it is given, byte by byte, and reads the response by itself. */
final class RawRequest implements AutoCloseable {

    private static final int LONGEST_WAIT = 20_000;

    private final Socket socket;
    private final InputStream in;
    private final String path;

    /** The head of a response, and its body where its length was said. */
    record Response(int status, Map<String, String> headers, String body) {}

    RawRequest(URI url) throws IOException {
        socket = new Socket(url.getHost(), url.getPort());
        path = url.getPath();
        socket.setSoTimeout(LONGEST_WAIT);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** One request, and its response. */
    static Response ask(URI url, String method, String headers, String body) throws IOException {
        try (var request = new RawRequest(url)) {
            return request.send(method, headers, body).response();
        }
    }

    /** @param headers each with its end of line; Host and Content-Length are added where they are missing */
    RawRequest send(String method, String headers, String body) throws IOException {
        var lower = "\n" + headers.toLowerCase(Locale.ROOT);
        var head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n" + headers);
        if (!lower.contains("\nhost:")) {
            head.append("Host: localhost\r\n");
        }
        if (method.equals("POST") && !lower.contains("content-length:") && !lower.contains("transfer-encoding:")) {
            head.append("Content-Length: ").append(body.length()).append("\r\n");
        }
        socket.getOutputStream().write((head + "\r\n" + body).getBytes(ISO_8859_1));
        return this;
    }

    Response response() throws IOException {
        var status = Integer.parseInt(line().split(" ")[1]);
        var headers = new TreeMap<String, String>();
        for (var line = line(); !line.isEmpty(); line = line()) {
            var parts = line.split(": *", 2);
            headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
        }
        var length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return new Response(status, headers, new String(in.readNBytes(length), ISO_8859_1));
    }

    /** A line of the body of an event stream, whatever chunks it comes in, that is of an event or a comment. */
    String event() throws IOException {
        for (var line = line(); ; line = line()) {
            if (line.startsWith(":") || line.contains(": ") || line.equals("data:")) {
                return line;
            }
        }
    }

    /** Whether the server ends the response, whatever it sends until then. */
    boolean isEnded() throws IOException {
        for (var line = line(); !line.equals("0"); line = line()) {
            if (line.equals("END")) {
                return true;
            }
        }
        return true;
    }

    /** Whether the server ends the connection before the last chunk. */
    boolean isCut() throws IOException {
        try {
            for (var line = line(); !line.equals("0"); line = line()) {
                if (line.equals("END")) {
                    return true;
                }
            }
            return false;
        } catch (SocketException e) {
            return true;
        }
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (var c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                return "END";
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
