// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.transport.Connection;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.receiver.admit.Receiver;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A load balancer without stickiness: each request over HTTP goes to the next of several nodes, a lasting connection
 * stays with the one that took it.
 */
final class Balanced implements Endpoint {

    private final List<Receiver> nodes;
    private final AtomicInteger requests = new AtomicInteger();

    Balanced(List<Receiver> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    private Receiver next() {
        return nodes.get(Math.floorMod(requests.getAndIncrement(), nodes.size()));
    }

    @Override
    public Runnable accept(byte[] message, Exchange exchange) {
        return exchange.connection().map(this::of).orElseGet(this::next).accept(message, exchange);
    }

    private Receiver of(Connection connection) {
        return nodes.get(Math.floorMod(connection.id().hashCode(), nodes.size()));
    }

    @Override
    public void listen(Exchange exchange) {
        next().listen(exchange);
    }

    @Override
    public void leave(Exchange exchange) {
        next().leave(exchange);
    }

    @Override
    public void inputEnded(Connection connection) {
        of(connection).inputEnded(connection);
    }

    @Override
    public void closed(Connection connection) {
        of(connection).closed(connection);
    }

    /** The nodes beside the first one end; that one ends with its server. */
    void close() {
        nodes.stream().skip(1).forEach(Receiver::close);
    }
}
