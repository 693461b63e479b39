// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.protocol.transport.ServerTransport;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Real HTTP to several processes. Each request goes to the next one, as behind a balancer that pins nobody. */
abstract class BalancedWay implements Way {

    private final AtomicInteger requests = new AtomicInteger();

    /** The one of {@code nodes} to which the next request goes. */
    final URI next(List<URI> nodes) {
        return nodes.get(Math.floorMod(requests.getAndIncrement(), nodes.size()));
    }

    @Override
    public final List<ServerTransport> transports() {
        return List.of();
    }

    @Override
    public final Way another() {
        return this;
    }
}
