// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What lies between a browser and a server, and can be cut. */
final class Cable implements AutoCloseable {

    private final int to;
    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean isCut;

    Cable(int to) {
        this.to = to;
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                connect(listener.accept());
            }
        } catch (IOException e) {
            cut();
        }
    }

    private void connect(Socket near) throws IOException {
        var far = new Socket(InetAddress.getLoopbackAddress(), to);
        open.add(near);
        open.add(far);
        Thread.ofVirtual().start(() -> carry(near, far));
        Thread.ofVirtual().start(() -> carry(far, near));
        if (isCut) {
            cut();
        }
    }

    private void carry(Socket from, Socket into) {
        try (from;
                into) {
            from.getInputStream().transferTo(into.getOutputStream());
        } catch (IOException e) {
            // Cut.
        } finally {
            open.remove(from);
        }
    }

    /** Ends all connections, and each that comes until it is mended. */
    void cut() {
        isCut = true;
        for (var socket : open) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    void mend() {
        isCut = false;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        cut();
    }
}
