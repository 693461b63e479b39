// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Connection;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.ForwardingExchange;
import io.longhaul.protocol.transport.TurnedAway;
import io.longhaul.protocol.transport.WholeResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Passes the messages of all transports on to the receiver of a server, and logs each of them. Thread-safe. */
record MessageTap(Endpoint endpoint, MessageLog log) implements Endpoint {

    private static final String SESSION = "Mcp-Session-Id";

    @Override
    public Runnable accept(byte[] message, Exchange exchange) {
        var request = log.received(message, session(exchange));
        var rest = new AtomicReference<Runnable>(() -> {});
        log.during(request, () -> rest.set(endpoint.accept(message, new TappedExchange(exchange, request))));
        return () -> log.during(request, rest.get());
    }

    @Override
    public void listen(Exchange exchange) {
        endpoint.listen(new TappedExchange(exchange, null));
    }

    @Override
    public void leave(Exchange exchange) {
        endpoint.leave(new TappedExchange(exchange, null));
    }

    @Override
    public void turnedAway(TurnedAway message) {
        endpoint.turnedAway(message);
    }

    @Override
    public void inputEnded(Connection connection) {
        endpoint.inputEnded(connection);
    }

    @Override
    public void closed(Connection connection) {
        endpoint.closed(connection);
    }

    /** What the messages of one client have in common; empty where each message stands alone. */
    private static String session(Exchange exchange) {
        return exchange.connection()
                .map(Connection::id)
                .or(() -> exchange.header(SESSION))
                .orElse("");
    }

    /** One message, whose answers are logged. */
    private final class TappedExchange extends ForwardingExchange {

        private final @Nullable LoggedRequest request;

        private TappedExchange(Exchange exchange, @Nullable LoggedRequest request) {
            super(exchange);
            this.request = request;
        }

        @Override
        public Optional<Connection> connection() {
            return exchange.connection().map(over -> new TappedConnection(over.id(), tapped(over.outlet(), null)));
        }

        @Override
        public void answer(WholeResponse answer, Runnable lost) {
            opened(answer.headers());
            if (answer.body() != null) {
                log.sent(answer.body(), session(exchange), request);
            }
            exchange.answer(answer, lost);
        }

        @Override
        public EventStream stream(Map<String, String> headers) {
            opened(headers);
            return tapped(exchange.stream(headers), request);
        }

        @Override
        public Optional<Runnable> detaching() {
            return exchange.detaching();
        }

        private EventStream tapped(EventStream stream, @Nullable LoggedRequest of) {
            return new TappedStream(stream, log, session(exchange), of);
        }

        private void opened(Map<String, String> headers) {
            var session = headers.get(SESSION);
            if (session != null && request != null) {
                log.opened(session, request);
            }
        }
    }

    private record TappedConnection(String id, EventStream outlet) implements Connection {}

    private record TappedStream(
            EventStream to,
            MessageLog log,
            String session,
            @Nullable LoggedRequest request) implements EventStream {

        @Override
        public void send(@Nullable String id, Json message) {
            log.sent(message, session, request);
            to.send(id, message);
        }

        @Override
        public void flush() {
            to.flush();
        }

        @Override
        public void prime(String id, @Nullable Duration retry) {
            to.prime(id, retry);
        }

        @Override
        public void clientComesBack() {
            to.clientComesBack();
        }

        @Override
        public boolean isEndedHere() {
            return to.isEndedHere();
        }

        @Override
        public boolean isLeftUnnoticed() {
            return to.isLeftUnnoticed();
        }

        @Override
        public boolean isOpen() {
            return to.isOpen();
        }

        @Override
        public void onGone(Runnable action) {
            to.onGone(action);
        }

        @Override
        public void close() {
            to.close();
        }
    }
}
