// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit.talk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** One connection whose client sends exactly what it is told, as a client library would not. For one thread. */
public final class RawHttp implements AutoCloseable {

    private static final int LONGEST_WAIT_MILLIS = 20_000;

    private final String path;
    private final Socket socket;
    private final InputStream in;

    /** The head of a response, its names in lower case, and its body where its length was said. */
    public record Response(int status, Map<String, String> headers, String body) {}

    public RawHttp(URI address) throws IOException {
        this(address, "127.0.0.1");
    }

    /** A client of {@code /mcp}. */
    public RawHttp(int port) throws IOException {
        this(port, "127.0.0.1");
    }

    /** A client of {@code /mcp} whose network address is {@code from}. */
    public RawHttp(int port, String from) throws IOException {
        this(URI.create("http://127.0.0.1:" + port + "/mcp"), from);
    }

    private RawHttp(URI address, String from) throws IOException {
        path = address.getPath();
        socket = new Socket();
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress(address.getHost(), address.getPort()));
        socket.setSoTimeout(LONGEST_WAIT_MILLIS);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** One request, and its response. */
    public static Response ask(URI address, String method, String headers, String body) throws IOException {
        try (var client = new RawHttp(address)) {
            return client.send(method, headers, body).response();
        }
    }

    public RawHttp send(String text) throws IOException {
        var out = socket.getOutputStream();
        out.write(text.getBytes(UTF_8));
        out.flush();
        return this;
    }

    /** @param headers each with its end of line; Host, and Content-Length of a POST, are added where they lack */
    public RawHttp send(String method, String headers, String body) throws IOException {
        var lower = "\n" + headers.toLowerCase(Locale.ROOT);
        boolean hasLength = lower.contains("\ncontent-length:") || lower.contains("\ntransfer-encoding:");
        var length =
                method.equals("POST") && !hasLength ? "Content-Length: " + body.getBytes(UTF_8).length + "\r\n" : "";
        return send(head(path, method, headers) + length + "\r\n" + body);
    }

    /** A POST of JSON. */
    public RawHttp post(String body) throws IOException {
        return post(body, "");
    }

    /** A POST of JSON with further headers. */
    public RawHttp post(String body, String headers) throws IOException {
        return send("POST", headers + "Content-Type: application/json\r\n", body);
    }

    public RawHttp get(String headers) throws IOException {
        return send("GET", headers, "");
    }

    /** The head of a request to {@code /mcp} without the empty line behind it. */
    public static String head(String method, String headers) {
        return head("/mcp", method, headers);
    }

    private static String head(String path, String method, String headers) {
        boolean hasHost = ("\n" + headers.toLowerCase(Locale.ROOT)).contains("\nhost:");
        return method + " " + path + " HTTP/1.1\r\n" + (hasHost ? "" : "Host: localhost\r\n") + headers;
    }

    /** Says that nothing more comes. */
    public void endInput() throws IOException {
        socket.shutdownOutput();
    }

    /** Reads a whole response, whose end the client knows by its length. */
    public Response response() throws IOException {
        var head = responseHead();
        var length = Integer.parseInt(head.headers().getOrDefault("content-length", "0"));
        return new Response(head.status(), head.headers(), new String(in.readNBytes(length), UTF_8));
    }

    /** Reads the head of a response alone. */
    public Response responseHead() throws IOException {
        var status = Integer.parseInt(line().split(" ")[1]);
        var headers = new TreeMap<String, String>();
        for (var line = line(); !line.isEmpty(); line = line()) {
            var parts = line.split(": *", 2);
            headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
        }
        return new Response(status, headers, "");
    }

    /** Reads one chunk of a stream; empty at its end. */
    public String chunk() throws IOException {
        var length = Integer.parseInt(line(), 16);
        var text = new String(in.readNBytes(length), UTF_8);
        line();
        return text;
    }

    /** The next line of an event stream that is of an event or a comment, whatever chunks it comes in. */
    public String event() throws IOException {
        for (var line = line(); ; line = line()) {
            if (line.startsWith(":") || line.contains(": ") || line.equals("data:")) {
                return line;
            }
        }
    }

    /** All that comes until the server closes the connection. */
    public String rest() throws IOException {
        return new String(in.readAllBytes(), UTF_8);
    }

    /** Waits until the server ends the response, with its last chunk or without. */
    public void end() throws IOException {
        isCut();
    }

    /** Whether the server ends the connection before the last chunk of the response. */
    public boolean isCut() throws IOException {
        try {
            while (!line().equals("0")) {
                // What comes until then counts for nothing.
            }
            return false;
        } catch (EOFException | SocketException e) {
            return true;
        }
    }

    /** Whether the server has closed the connection; waits for it to do so or to send. */
    public boolean isClosedByServer() {
        try {
            return in.read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (var c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the connection ended in: " + line);
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
