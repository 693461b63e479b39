// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A client that sends exactly what it is told, as a client library would not. */
final class RawClient implements AutoCloseable {

    /** A response without its stream. */
    record Response(int status, Map<String, String> headers, String body) {}

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    RawClient(Http http) throws IOException {
        this(http.port(), "127.0.0.1");
    }

    /** A client whose network address is {@code from}. */
    RawClient(int port, String from) throws IOException {
        socket = new Socket();
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress("127.0.0.1", port));
        socket.setSoTimeout(20_000);
        in = new BufferedInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    RawClient send(String text) throws IOException {
        out.write(text.getBytes(UTF_8));
        out.flush();
        return this;
    }

    /** Says that nothing more comes. */
    void endInput() throws IOException {
        socket.shutdownOutput();
    }

    /** A POST with the usual headers. */
    RawClient post(String body) throws IOException {
        return post(body, "");
    }

    /** A POST with further header lines. */
    RawClient post(String body, String headers) throws IOException {
        return send(head("POST", headers) + "Content-Type: application/json\r\nContent-Length: "
                + body.getBytes(UTF_8).length + "\r\n\r\n" + body);
    }

    RawClient get(String headers) throws IOException {
        return send(head("GET", headers) + "\r\n");
    }

    static String head(String method, String headers) {
        var host = headers.contains("Host:") ? "" : "Host: localhost\r\n";
        return method + " /mcp HTTP/1.1\r\n" + host + headers;
    }

    /** Reads a whole response, whose end the client knows by its length. */
    Response response() throws IOException {
        var head = responseHead();
        var length = Integer.parseInt(head.headers().getOrDefault("content-length", "0"));
        return new Response(head.status(), head.headers(), new String(in.readNBytes(length), UTF_8));
    }

    /** Reads the head of a response alone. */
    Response responseHead() throws IOException {
        var status = Integer.parseInt(line().split(" ")[1]);
        var headers = new TreeMap<String, String>();
        for (var line = line(); !line.isEmpty(); line = line()) {
            var parts = line.split(": ", 2);
            headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
        }
        return new Response(status, headers, "");
    }

    /** Reads one chunk of a stream; empty at its end. */
    String chunk() throws IOException {
        var length = Integer.parseInt(line(), 16);
        var text = new String(in.readNBytes(length), UTF_8);
        line();
        return text;
    }

    /** All that comes until the server closes the connection. */
    String rest() throws IOException {
        return new String(in.readAllBytes(), UTF_8);
    }

    /** Whether the server has closed the connection; waits for it to do so or to send. */
    boolean isClosedByServer() {
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
                throw new IOException("The connection ended in: " + line);
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
