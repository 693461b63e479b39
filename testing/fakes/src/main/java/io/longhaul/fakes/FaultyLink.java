// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fakes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;

/** One connection through a {@link FaultyNetwork}: one thread for each direction carries bytes. */
final class FaultyLink {

    private final FaultyNetwork network;
    private final Socket client;
    private final Socket server;
    /** The bytes from the client since the server last sent any: a request, or part of one. */
    private final StringBuilder request = new StringBuilder();

    private final StringBuilder answers = new StringBuilder();
    private volatile boolean hasLost;
    private boolean isDoubled;

    private FaultyLink(FaultyNetwork network, Socket client, Socket server) {
        this.network = network;
        this.client = client;
        this.server = server;
    }

    static void open(FaultyNetwork network, Socket client) throws IOException {
        Socket server;
        try {
            server = network.dial();
        } catch (IOException e) {
            reset(client);
            throw e;
        }
        var link = new FaultyLink(network, client, server);
        network.add(link);
        Thread.ofVirtual().name("faulty-requests").start(() -> link.carry(client, server));
        Thread.ofVirtual().name("faulty-answers").start(() -> link.carry(server, client));
    }

    private void carry(Socket from, Socket to) {
        boolean isRequest = from.equals(client);
        var buffer = new byte[8_192];
        try {
            var in = from.getInputStream();
            for (int size = in.read(buffer, 0, network.piece());
                    size >= 0;
                    size = in.read(buffer, 0, network.piece())) {
                if (network.isVanishing()) {
                    hasLost = true;
                    network.hasVanished();
                    continue;
                }
                if (!isRequest) {
                    network.awaitRelease();
                }
                int carried = isRequest ? asked(buffer, size) : answered(buffer, size);
                to.getOutputStream().write(buffer, 0, carried);
                to.getOutputStream().flush();
                if (carried < size) {
                    tear();
                }
            }
            to.shutdownOutput();
        } catch (IOException e) {
            tear();
        }
    }

    private synchronized int asked(byte[] bytes, int size) {
        request.append(new String(bytes, 0, size, ISO_8859_1));
        isDoubled |= network.isDoubled(request.toString());
        return size;
    }

    private synchronized int answered(byte[] bytes, int size) throws IOException {
        if (isDoubled) {
            isDoubled = false;
            sendAgain(request.toString());
        }
        request.setLength(0);
        answers.append(new String(bytes, 0, size, ISO_8859_1));
        return network.carried(answers.toString(), size);
    }

    /** Sends the request a second time, and drops the answer. */
    private void sendAgain(String whole) throws IOException {
        var again = network.dial();
        again.getOutputStream().write(whole.getBytes(ISO_8859_1));
        again.getOutputStream().flush();
        var twin = new FaultyLink(network, again, again);
        network.add(twin);
        Thread.ofVirtual().name("faulty-twin").start(twin::drain);
    }

    private void drain() {
        var buffer = new byte[8_192];
        try {
            var in = client.getInputStream();
            int size = in.read(buffer);
            network.answeredTwin(new String(buffer, 0, Math.max(0, size), ISO_8859_1));
            in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            tear();
        }
    }

    /** Whether bytes written by either end were dropped. */
    boolean hasLost() {
        return hasLost;
    }

    /** Resets the connection to both ends. */
    void tear() {
        network.remove(this);
        reset(client);
        reset(server);
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // The socket is closed already.
        }
    }
}
