// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fakes;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.client.ClientTransport;
import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.StreamEvent;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.protocol.transport.client.TransportException.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The client's transport to a {@link MemoryTransport}, as over HTTP. */
final class MemoryClientTransport implements ClientTransport {

    private static final Logger log = LoggerFactory.getLogger(MemoryClientTransport.class);

    private final MemoryTransport transport;
    private final Principal principal;
    private final Map<String, String> always;
    private final Set<Reply> open = ConcurrentHashMap.newKeySet();

    /** @param always the headers of each request */
    MemoryClientTransport(MemoryTransport transport, Principal principal, Map<String, String> always) {
        this.transport = transport;
        this.principal = principal;
        this.always = Map.copyOf(always);
    }

    /** A method of HTTP. */
    private interface Method {
        void send(Endpoint served, MemoryReply reply);
    }

    @Override
    public boolean isLasting() {
        return false;
    }

    @Override
    public ServerReply send(Json message, Map<String, String> headers) throws TransportException {
        return exchange(headers, (served, reply) -> MemoryTransport.post(served, message.toString(), reply));
    }

    @Override
    public ServerReply listen(Map<String, String> headers) throws TransportException {
        return exchange(headers, (served, reply) -> served.listen(reply.exchange()));
    }

    @Override
    public ServerReply leave(Map<String, String> headers) throws TransportException {
        return exchange(headers, (served, reply) -> served.leave(reply.exchange()));
    }

    private ServerReply exchange(Map<String, String> headers, Method method) throws TransportException {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(always);
        all.putAll(headers);
        var exchanged = new MemoryReply(principal, all, Optional.empty());
        var reply = new Reply(exchanged);
        open.add(reply);
        transport.opened(exchanged);
        try {
            var served = transport.served();
            if (served == null) {
                throw new TransportException(Kind.UNREACHABLE, "The server cannot be reached: start it again.");
            }
            MemoryTransport.start("exchange", () -> send(method, served, exchanged));
            exchanged.awaitHead();
            return reply;
        } catch (TransportException e) {
            reply.close();
            throw e;
        } catch (InterruptedException e) {
            reply.close();
            throw interrupted(e);
        }
    }

    private static void send(Method method, Endpoint served, MemoryReply exchanged) {
        try {
            method.send(served, exchanged);
        } catch (RuntimeException e) {
            log.debug("the server failed to answer", e);
            exchanged.failed();
        }
    }

    private static TransportException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new TransportException(Kind.LOST, "The request was given up.", e);
    }

    @Override
    public void close() {
        open.forEach(Reply::close);
    }

    /** The client's side of one exchange. */
    private final class Reply implements ServerReply {
        private final MemoryReply exchanged;

        Reply(MemoryReply exchanged) {
            this.exchanged = exchanged;
        }

        @Override
        public int status() {
            return exchanged.status();
        }

        @Override
        public Optional<String> header(String name) {
            return exchanged.header(name);
        }

        @Override
        public Optional<StreamEvent> next() throws TransportException {
            try {
                return exchanged.awaitNext().map(Reply::event);
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
        }

        private static StreamEvent event(MemoryReply.Event event) {
            return new StreamEvent(event.id(), null, event.data().getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void close() {
            if (open.remove(this)) {
                transport.closed(exchanged);
                exchanged.leave();
                exchanged.end();
            }
        }
    }
}
