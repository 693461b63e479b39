// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The servers that are tortured: one, or several nodes over one store behind a {@link Balancer}. Not thread-safe. */
final class TorturedServers implements AutoCloseable {

    private final Path notes;
    private final String store;
    private final Optional<Preloaded> preloaded;
    private final List<Integer> ports;
    private final List<@Nullable Victim> nodes = new ArrayList<>();
    private @Nullable Balancer balancer;

    /**
     * A cluster whose servers are not started yet.
     *
     * @param store the store of all servers
     */
    TorturedServers(int size, Path notes, String store, Optional<Preloaded> preloaded) throws IOException {
        this.notes = notes;
        this.store = store;
        this.preloaded = preloaded;
        ports = freePorts(size);
        ports.forEach(port -> nodes.add(null));
    }

    private static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (var socket : sockets) {
                socket.close();
            }
        }
    }

    /** Starts all servers, after the first one has written a class archive for them. */
    void start() throws IOException, InterruptedException {
        start(0);
        get(0).end();
        for (int node = 0; node < size(); node++) {
            start(node);
        }
        if (size() > 1) {
            balancer = new Balancer(IntStream.range(0, size())
                    .mapToObj(node -> URI.create(get(node).greeting()))
                    .toList());
        }
    }

    void start(int node) throws IOException {
        start(node, List.of());
    }

    /** @param prefix the words before the command */
    void start(int node, List<String> prefix) throws IOException {
        var words = new String[] {store, notes.toString(), String.valueOf(ports.get(node)), name(node)};
        nodes.set(node, Victim.start(notes, name(node), prefix, preloaded, TortureServer.class, words));
    }

    void revive() throws IOException, InterruptedException {
        for (int node = 0; node < size(); node++) {
            if (!get(node).isAlive()) {
                get(node).kill();
                start(node);
            }
        }
    }

    int size() {
        return nodes.size();
    }

    Victim get(int node) {
        var victim = nodes.get(node);
        if (victim == null) {
            throw new IllegalStateException("the node was never started");
        }
        return victim;
    }

    /** The name of a node among the others, and of its log. */
    String name(int node) {
        return size() == 1 ? "server" : "node-" + node;
    }

    /** The address at which clients reach the servers. */
    URI address() {
        return balancer == null ? URI.create(get(0).greeting()) : balancer.address();
    }

    /** Sends SIGTERM to all servers. */
    void end() throws InterruptedException {
        for (int node = 0; node < size(); node++) {
            get(node).end();
        }
    }

    @Override
    public void close() {
        try {
            if (balancer != null) {
                balancer.close();
            }
            for (var node : nodes) {
                if (node != null) {
                    node.kill();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
