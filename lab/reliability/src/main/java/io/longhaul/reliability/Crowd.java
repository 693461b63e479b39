// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import io.longhaul.protocol.dialect.Generation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** Many clients on connections of their own, which all come back at once after a restart of their server. */
final class Crowd implements AutoCloseable {

    /** The version of the newest generation, which needs no session. The newest generation comes first. */
    private static final String VERSION = Generation.values()[0].version();

    private static final String BODY = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
            + "\"io.modelcontextprotocol/protocolVersion\":\"" + VERSION + "\","
            + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"crowd\",\"version\":\"1\"},"
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}}}";
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final int READ_MILLIS = 60_000;

    private final URI server;
    private final List<Socket> connected = new ArrayList<>();

    Crowd(URI server) {
        this.server = server;
    }

    /** Opens idle connections, as many of {@code count} as the server takes. */
    void connect(int count) {
        for (int i = 0; i < count; i++) {
            try {
                var socket = new Socket();
                connected.add(socket);
                socket.connect(address(), READ_MILLIS);
            } catch (IOException full) {
                return;
            }
        }
    }

    /** Has each client ask until it is answered; gives the number of clients that never were. */
    int comeBack(int count) throws InterruptedException {
        close();
        var unanswered = new AtomicInteger(count);
        var ended = new Semaphore(0);
        long until = System.nanoTime() + PATIENCE.toNanos();
        for (int i = 0; i < count; i++) {
            Thread.ofVirtual().start(() -> {
                try {
                    while (System.nanoTime() - until < 0) {
                        if (isAnswered()) {
                            unanswered.decrementAndGet();
                            return;
                        }
                        Thread.sleep(PAUSE);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } finally {
                    ended.release();
                }
            });
        }
        ended.acquire(count);
        return unanswered.get();
    }

    private InetSocketAddress address() {
        return new InetSocketAddress(server.getHost(), server.getPort());
    }

    private boolean isAnswered() {
        try (var socket = new Socket()) {
            socket.connect(address(), READ_MILLIS);
            socket.setSoTimeout(READ_MILLIS);
            socket.getOutputStream()
                    .write(("POST " + server.getPath() + " HTTP/1.1\r\nHost: " + server.getAuthority()
                                    + "\r\nContent-Type: application/json"
                                    + "\r\nAccept: application/json, text/event-stream"
                                    + "\r\nMCP-Protocol-Version: " + VERSION
                                    + "\r\nMcp-Method: tools/list\r\nContent-Length: "
                                    + BODY.length() + "\r\n\r\n" + BODY)
                            .getBytes(StandardCharsets.US_ASCII));
            var status = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
            return status != null && status.contains(" 200 ");
        } catch (IOException busy) {
            return false;
        }
    }

    @Override
    public void close() {
        for (var socket : connected) {
            try {
                socket.close();
            } catch (IOException gone) {
                // The server has closed the connection.
            }
        }
        connected.clear();
    }
}
