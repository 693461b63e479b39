// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.fakes.MemoryReply;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.ServerTransport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** HTTP as it were, without a socket. Each request goes to the next node, as behind a balancer that pins nobody. */
final class MemoryWay implements HttpWay {

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
    public Requests requests(String subject) {
        var principal = new Principal(subject, Principal.Kind.AUTHORIZED);
        return new Requests() {
            @Override
            public Reply post(JsonNode message, Map<String, String> headers) {
                return reply(next().post(principal, message.toString(), headers));
            }

            @Override
            public Reply get(Map<String, String> headers) {
                return reply(next().get(principal, headers));
            }

            @Override
            public Reply delete(Map<String, String> headers) {
                return reply(next().delete(principal, headers));
            }
        };
    }

    private static Reply reply(MemoryReply reply) {
        return new Reply() {
            @Override
            public int status() {
                return reply.status();
            }

            @Override
            public Optional<String> header(String name) {
                return reply.header(name);
            }

            @Override
            public Optional<Event> next() {
                return reply.next().map(event -> new Event(event.id(), event.data()));
            }

            @Override
            public void leave() {
                reply.leave();
            }
        };
    }
}
