// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import io.longhaul.bench.run.BenchSettings;
import io.longhaul.bench.run.ChildProcess;
import io.longhaul.bench.run.Figure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * Answers each read with the same bytes, and takes each read for a whole request. The rate that the load generator
 * reaches here is the most that it can measure at any server.
 */
public final class NullServer {

    private static final String BODY = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"hello, world\"}";
    private static final byte[] ANSWER = ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
                    + BODY.length() + "\r\n\r\n" + BODY)
            .getBytes(StandardCharsets.US_ASCII);

    private NullServer() {}

    /** Gives the number of requests per second that the load generator sends to this server. */
    public static double ceiling(BenchSettings settings) throws Exception {
        MeasuredStart none = folder -> ChildProcess.start(BenchSettings.classPath(), NullServer.class);
        var load = new Load("ceiling", "", Workload.BARE, none, false, settings.withoutPicture());
        return load.measure().getFirst().figures().get(Figure.RATE);
    }

    public static void main(String[] args) throws IOException {
        Thread.ofPlatform().daemon().start(NullServer::endWithInput);
        try (var selector = Selector.open();
                var server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            server.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
            System.out.println("http://127.0.0.1:" + server.socket().getLocalPort() + "/mcp");
            var bytes = ByteBuffer.allocateDirect(1 << 16);
            while (true) {
                selector.select(key -> serve(key, bytes));
            }
        }
    }

    private static void endWithInput() {
        try {
            while (System.in.read() >= 0) {
                // The server ends with its input.
            }
        } catch (IOException e) {
            // An input that cannot be read has ended, too.
        }
        System.exit(0);
    }

    private static void serve(SelectionKey key, ByteBuffer bytes) {
        try {
            if (key.channel() instanceof ServerSocketChannel server) {
                var client = server.accept();
                client.setOption(StandardSocketOptions.TCP_NODELAY, true);
                client.configureBlocking(false).register(key.selector(), SelectionKey.OP_READ);
            } else if (key.channel() instanceof SocketChannel client) {
                if (client.read(bytes.clear()) < 0) {
                    client.close();
                } else {
                    client.write(bytes.clear().put(ANSWER).flip());
                }
            }
        } catch (IOException e) {
            key.cancel();
        }
    }
}
