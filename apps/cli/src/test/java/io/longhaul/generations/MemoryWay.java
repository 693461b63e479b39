// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.testkit.talk.ClientWire;
import io.longhaul.testkit.talk.HttpRequests;
import io.longhaul.testkit.talk.HttpWire;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** HTTP as it were, without a socket. Each request goes to the next node, as behind a balancer that pins nobody. */
final class MemoryWay implements Way {

    private final List<MemoryTransport> nodes;
    private final AtomicInteger requests = new AtomicInteger();

    MemoryWay() {
        this(1);
    }

    MemoryWay(int count) {
        nodes = Stream.generate(MemoryTransport::new).limit(count).toList();
    }

    @Override
    public List<ServerTransport> transports() {
        return List.copyOf(nodes);
    }

    @Override
    public Way another() {
        return new MemoryWay(nodes.size());
    }

    private MemoryTransport next() {
        return nodes.get(Math.floorMod(requests.getAndIncrement(), nodes.size()));
    }

    @Override
    public ClientWire wire(String subject) {
        return new HttpWire(HttpRequests.inMemory(this::next, new Principal(subject, Principal.Kind.AUTHORIZED)));
    }
}
