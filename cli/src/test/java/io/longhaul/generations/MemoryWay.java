// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.fakes.MemoryReply;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.transport.Principal;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** HTTP as it were, without a socket. */
record MemoryWay(MemoryTransport transport) implements HttpWay {

    MemoryWay() {
        this(new MemoryTransport());
    }

    @Override
    public Way another() {
        return new MemoryWay();
    }

    @Override
    public Requests requests(String subject) {
        var principal = new Principal(subject, Principal.Kind.AUTHORIZED);
        return new Requests() {
            @Override
            public Reply post(JsonNode message, Map<String, String> headers) {
                return reply(transport.post(principal, message.toString(), headers));
            }

            @Override
            public Reply get(Map<String, String> headers) {
                return reply(transport.get(principal, headers));
            }

            @Override
            public Reply delete(Map<String, String> headers) {
                return reply(transport.delete(principal, headers));
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
