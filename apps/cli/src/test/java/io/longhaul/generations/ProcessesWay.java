// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.testkit.talk.ClientWire;
import java.net.URI;
import java.util.List;
import java.util.Objects;

/** Processes of {@code serve}, of which single ones can be killed, restarted, and asked alone. */
final class ProcessesWay extends BalancedWay implements AutoCloseable {

    private static final int ALL = -1;

    private final List<ServedNode> nodes;
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
        return next(nodes.stream().map(ServedNode::uri).filter(Objects::nonNull).toList());
    }

    @Override
    public ClientWire wire(String subject) {
        return WebWay.wire(this::next, subject);
    }

    @Override
    public void close() {
        nodes.forEach(ServedNode::kill);
    }
}
