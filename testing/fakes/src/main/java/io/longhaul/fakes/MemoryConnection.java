// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fakes;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Connection;
import io.longhaul.protocol.transport.ConnectionExchange;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.Principal;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client's end of a lasting connection, on which all messages share one channel. Thread-safe. */
public final class MemoryConnection implements AutoCloseable {

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final Endpoint endpoint;
    private final Principal principal;
    private final String id = "memory-" + COUNT.incrementAndGet();
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final Outlet outlet = new Outlet();
    private final Connection connection = new Connection() {
        @Override
        public String id() {
            return id;
        }

        @Override
        public EventStream outlet() {
            return outlet;
        }
    };

    private volatile Consumer<String> reader = message -> {};
    private volatile boolean closed;

    MemoryConnection(Endpoint endpoint, Principal principal) {
        this.endpoint = endpoint;
        this.principal = principal;
    }

    /** Sends one message. */
    public void send(String message) {
        Runnable rest = endpoint.accept(
                message.getBytes(StandardCharsets.UTF_8),
                new ConnectionExchange(connection, principal, Optional.empty()));
        Thread.ofVirtual().name("memory-line").start(rest);
    }

    /** Passes each message to {@code reader} on the thread of the server, before the server continues. */
    public void onMessage(Consumer<String> reader) {
        this.reader = reader;
    }

    /** The next message of the server; waits for it. */
    public String next() {
        return Blocking.take(received);
    }

    /** Whether {@link #next} has taken all messages of the server. */
    public boolean isQuiet() {
        return received.isEmpty();
    }

    /** Ends the input of the client, which still receives answers. */
    public void endInput() {
        endpoint.inputEnded(connection);
    }

    /** Ends the connection, as a client does. */
    @Override
    public void close() {
        closed = true;
        endpoint.closed(connection);
    }

    /** The channel of the server's messages. */
    private final class Outlet implements EventStream {
        @Override
        public void send(@Nullable String eventId, Json message) {
            if (closed) {
                throw new PeerGoneException("the client has left");
            }
            received.add(message.toString());
            reader.accept(message.toString());
        }

        @Override
        public boolean isOpen() {
            return !closed;
        }

        @Override
        public void onGone(Runnable action) {
            if (closed) {
                action.run();
            }
        }

        @Override
        public void close() {
            // Other messages share the channel.
        }
    }
}
