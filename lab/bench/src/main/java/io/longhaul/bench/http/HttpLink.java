// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * One connection to a server, with a session of its own if the server has them, and the last response. For one thread.
 */
final class HttpLink implements AutoCloseable {

    private final String host;
    private final SocketChannel channel;
    private final ResponseBytes response = new ResponseBytes();
    private String headers = "";
    private long number;

    HttpLink(URI server) throws IOException {
        host = server.getAuthority();
        channel = SocketChannel.open(new InetSocketAddress(server.getHost(), server.getPort()));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    /** Begins a new session with the handshake of 2025-11-25. A server without sessions gives none. */
    void initialize() throws IOException {
        headers = "";
        ask(Era.SESSION, Step.initialize(), "");
        var session = response.header("Mcp-Session-Id");
        headers = "MCP-Protocol-Version: " + Era.SESSION.version() + "\r\n"
                + (session.isEmpty() ? "" : "Mcp-Session-Id: " + session + "\r\n");
        send(RequestBytes.notification(host, headers, "\"method\":\"notifications/initialized\""));
        await("");
    }

    /** Makes a task by calling a tool, and gives its id. */
    String create(String tool) throws IOException {
        return ask(Era.SESSION, Step.create(tool), "").between("\"taskId\":\"", "\"");
    }

    /** Makes a task, and waits for its end. */
    String finish() throws IOException {
        var task = create("instant");
        ask(Era.SESSION, Step.result(), task);
        return task;
    }

    /** Sends a request about a task, and waits for the expected response. */
    ResponseBytes ask(Era era, Step step, String task) throws IOException {
        send(bytes(era, step, task));
        return await(step.expected());
    }

    private ResponseBytes await(String expected) throws IOException {
        var arrived = ByteBuffer.allocate(1 << 16);
        while (!read(arrived)) {
            // More bytes are to come.
        }
        check(expected.getBytes(StandardCharsets.US_ASCII));
        return response;
    }

    /** Opens the side stream of the session, and waits for the head of the response. */
    void openSideStream() throws IOException {
        var arrived = ByteBuffer.allocate(1 << 16);
        send(RequestBytes.get(host, headers));
        while (!response.hasHead()) {
            read(arrived);
        }
        check(new byte[0]);
    }

    void check(byte[] expected) {
        if (!response.isGood(expected)) {
            throw new IllegalStateException("a request was answered with " + response);
        }
    }

    RequestBytes bytes(Era era, Step step, String task) {
        var about = step.about(task);
        var ofEra = era == Era.SESSION
                ? headers
                : "MCP-Protocol-Version: " + era.version() + "\r\nMcp-Method: " + about.method() + "\r\nMcp-Name: "
                        + about.name() + "\r\n";
        return RequestBytes.request(host, ofEra, about.message(era));
    }

    void send(RequestBytes request) throws IOException {
        response.clear();
        var bytes = request.numbered(++number);
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Takes the bytes that have arrived; true where the response is complete. */
    boolean read(ByteBuffer arrived) throws IOException {
        return response.read(channel, arrived);
    }

    ResponseBytes response() {
        return response;
    }

    /** Registers the connection at a selector, with this attachment. */
    void register(Selector selector, Object attachment) throws IOException {
        channel.configureBlocking(false).register(selector, SelectionKey.OP_READ, attachment);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
