// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A load balancer without sticky sessions: each HTTP request goes to another node than the previous one, even on one
 * connection. Bytes are passed on as they come. Where one end hangs up, the balancer hangs up on the other.
 *
 * <p>A node that does not take a connection, or has not answered a probe, is skipped. For a node that takes a request
 * and dies, the balancer answers with 502: it cannot know whether the node carried out the request. Thread-safe.
 */
public final class Balancer implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 1_000;
    private static final Duration PROBED_EVERY = Duration.ofMillis(500);
    private static final int BACKLOG = 1_024;

    private final List<URI> nodes;
    private final ServerSocket entrance;
    private final AtomicInteger requests = new AtomicInteger();
    private final Set<URI> silent = ConcurrentHashMap.newKeySet();
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();

    /** @param nodes the addresses of the nodes, which differ in their ports, and of which any may be down */
    public Balancer(List<URI> nodes) throws IOException {
        this.nodes = List.copyOf(nodes);
        entrance = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("balancer").start(this::accept);
        nodes.forEach(node -> Thread.ofVirtual().name("balancer-probe").start(() -> probe(node)));
    }

    /** The address at which clients reach the nodes. */
    public URI address() {
        return URI.create(
                "http://127.0.0.1:" + entrance.getLocalPort() + nodes.getFirst().getPath());
    }

    private void accept() {
        while (!entrance.isClosed()) {
            try {
                var client = entrance.accept();
                clients.add(client);
                Thread.ofVirtual().name("balancer-client").start(() -> serve(client));
            } catch (IOException e) {
                // The balancer is closed, or has no free file descriptors for a moment.
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            client.setTcpNoDelay(true);
            var in = new BufferedInputStream(client.getInputStream());
            boolean goesOn = true;
            while (goesOn) {
                var request = BalancedRequest.read(in, client);
                if (request == null) {
                    return;
                }
                var passing = Thread.ofVirtual().name("balancer-request").start(() -> request.pass(next()));
                goesOn = hasMore(in);
                if (!goesOn) {
                    request.giveUp();
                }
                passing.join();
            }
        } catch (IOException e) {
            // The client has gone, or speaks no HTTP.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            clients.remove(client);
        }
    }

    /** Waits for the next request, while the response to the previous one may still be on its way. */
    private static boolean hasMore(BufferedInputStream in) {
        try {
            in.mark(1);
            boolean more = in.read() >= 0;
            if (more) {
                in.reset();
            }
            return more;
        } catch (IOException e) {
            return false;
        }
    }

    /** The nodes in the order in which the next request tries them. */
    private List<URI> next() {
        int first = Math.floorMod(requests.getAndIncrement(), nodes.size());
        List<URI> order = new ArrayList<>(nodes.subList(first, nodes.size()));
        order.addAll(nodes.subList(0, first));
        order.removeAll(silent);
        return order;
    }

    private void probe(URI node) {
        while (!entrance.isClosed()) {
            if (answers(node)) {
                silent.remove(node);
            } else {
                silent.add(node);
            }
            try {
                Thread.sleep(PROBED_EVERY);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static boolean answers(URI node) {
        try (var socket = connect(node)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            var request = "OPTIONS " + node.getPath() + " HTTP/1.1\r\nHost: " + node.getAuthority()
                    + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().read() >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    static Socket connect(URI node) throws IOException {
        var socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(node.getHost(), node.getPort()), PATIENCE_MILLIS);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        entrance.close();
        for (var client : clients) {
            client.close();
        }
    }
}
