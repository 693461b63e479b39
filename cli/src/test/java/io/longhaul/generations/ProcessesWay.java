// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.protocol.transport.ServerTransport;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** Real HTTP to several processes. Each request goes to the next one, as behind a balancer that pins nobody. */
final class ProcessesWay implements HttpWay, AutoCloseable {

    private static final int ALL = -1;

    private final List<ServedNode> nodes;
    private final AtomicInteger requests = new AtomicInteger();
    private volatile int only = ALL;

    /** Starts them all. */
    ProcessesWay(List<ServedNode> nodes) {
        this.nodes = nodes;
        nodes.forEach(ServedNode::start);
    }

    /** Has all requests go to one node, until that ends. */
    void only(int node) {
        only = node;
    }

    void kill(int node) {
        only = ALL;
        nodes.get(node).kill();
    }

    /** Ends a node as an operator does, and starts it again. */
    void restart(int node) {
        only = ALL;
        nodes.get(node).stop();
        nodes.get(node).start();
    }

    private URI next() {
        int one = only;
        if (one != ALL) {
            return Objects.requireNonNull(nodes.get(one).uri());
        }
        var up = nodes.stream().map(ServedNode::uri).filter(Objects::nonNull).toList();
        return up.get(Math.floorMod(requests.getAndIncrement(), up.size()));
    }

    @Override
    public List<ServerTransport> transports() {
        return List.of();
    }

    @Override
    public Way another() {
        return this;
    }

    @Override
    public Requests requests(String subject) {
        return new WebRequests(this::next, subject);
    }

    @Override
    public void close() {
        nodes.forEach(ServedNode::kill);
    }
}
