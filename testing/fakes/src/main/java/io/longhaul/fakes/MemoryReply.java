// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fakes;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Connection;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.GoneActions;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.Permit;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.protocol.transport.client.TransportException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The response to one request in memory. Thread-safe. */
public final class MemoryReply implements ClientReply {

    /** The head of a response. */
    private record Head(int status, Map<String, String> headers, boolean isStream) {}

    private static final Event END = new Event("end", null, "", null);

    /** Marks that the connection broke. */
    private static final Event BREAK = new Event("break", null, "", null);

    private final Principal principal;
    private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Optional<Connection> connection;
    private final CompletableFuture<Head> head = new CompletableFuture<>();
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final GoneActions goneActions = new GoneActions();
    /** Ends when the server would notice that the client leaves. */
    private final CountDownLatch noticing = new CountDownLatch(1);
    /** Ends when the client reads, or has left. */
    private volatile CountDownLatch reading = new CountDownLatch(0);

    private boolean isBroken;
    private boolean gone;
    private boolean closed;
    private boolean endedHere;

    MemoryReply(Principal principal, Map<String, String> headers, Optional<Connection> connection) {
        this.principal = principal;
        this.headers.putAll(headers);
        this.connection = connection;
    }

    @Override
    public int status() {
        return head().status();
    }

    @Override
    public Optional<String> header(String name) {
        return Optional.ofNullable(head().headers().get(name));
    }

    /** Whether the response is a stream; waits for the head. */
    public boolean isStream() {
        return head().isStream();
    }

    /** Whether the head has come. */
    public boolean isAnswered() {
        return head.isDone();
    }

    /** Whether all events so far were read. */
    public boolean isQuiet() {
        return events.isEmpty();
    }

    @Override
    public Optional<Event> next() {
        Event event = Blocking.take(events);
        if (event.equals(END) || event.equals(BREAK)) {
            events.add(event);
            return Optional.empty();
        }
        return Optional.of(event);
    }

    /** Reads nothing from now on: what the server writes waits until the client leaves, and gets lost. */
    public void stall() {
        reading = new CountDownLatch(1);
    }

    /** Ends the stream by the transport, as when the authorization of the request has expired. */
    public void expire() {
        synchronized (this) {
            endedHere = true;
        }
        leave();
    }

    /** A server that has just begun a stream notices that as any other. */
    @Override
    public void leave() {
        if (isAnswered() && !isBroken() && isStream()) {
            Blocking.await(noticing);
        }
        synchronized (this) {
            if (isBroken) {
                return;
            }
            gone = true;
        }
        reading.countDown();
        goneActions.left().forEach(Runnable::run);
    }

    Exchange exchange() {
        return new Way();
    }

    /** Breaks the connection for the client; the server, which is dead, does not notice. */
    void breakOff() {
        synchronized (this) {
            isBroken = true;
        }
        head.completeExceptionally(broken());
        events.add(BREAK);
    }

    /** Ends the response after a failure of the server. */
    void failed() {
        if (head.complete(new Head(500, Map.of(), false))) {
            events.add(END);
        }
    }

    /** Ends reading by the client. */
    void end() {
        events.add(END);
    }

    /** Waits for the head, for as long as it takes. */
    void awaitHead() throws InterruptedException, TransportException {
        try {
            head.get();
        } catch (ExecutionException e) {
            throw broken();
        }
    }

    /** As {@link #next}, for as long as it takes. */
    Optional<Event> awaitNext() throws InterruptedException, TransportException {
        Event event = events.take();
        if (event.equals(END) || event.equals(BREAK)) {
            events.add(event);
        }
        if (event.equals(BREAK)) {
            throw broken();
        }
        return event.equals(END) ? Optional.empty() : Optional.of(event);
    }

    private synchronized boolean isBroken() {
        return isBroken;
    }

    private static TransportException broken() {
        return new TransportException(TransportException.Kind.LOST, "The connection to the server broke off.");
    }

    private Head head() {
        try {
            return head.get(Blocking.TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("there is no response", e);
        }
    }

    /** The server's side of the exchange. */
    private final class Way implements Exchange {
        @Override
        public Principal principal() {
            return principal;
        }

        @Override
        public Permit permit() {
            return header(MemoryTransport.SCOPES)
                    .map(given -> Permit.of(
                            Set.of(given.split(" ")), needed -> Optional.of("scope=" + String.join(" ", needed))))
                    .orElseGet(() -> Permit.of(principal));
        }

        @Override
        public Optional<String> remoteAddress() {
            return header(MemoryTransport.REMOTE_ADDRESS);
        }

        @Override
        public Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name));
        }

        @Override
        public boolean takesStream() {
            return header("Accept")
                    .map(accept -> accept.contains("text/event-stream"))
                    .orElse(true);
        }

        @Override
        public Map<String, String> callerHeaders() {
            return header(MemoryTransport.CALLER_HEADER)
                    .map(value -> Map.of(MemoryTransport.CALLER_HEADER, value))
                    .orElse(Map.of());
        }

        @Override
        public Optional<Connection> connection() {
            return connection;
        }

        @Override
        public void answer(WholeResponse answer) {
            if (answer.body() != null) {
                events.add(Event.message(null, answer.body().toString(), null));
            }
            events.add(END);
            answered(new Head(answer.status(), caseless(answer.headers()), false));
        }

        @Override
        public EventStream stream(Map<String, String> more) {
            answered(new Head(200, caseless(more), true));
            return new Stream();
        }

        /** Each request over HTTP has its own thread here, for which no other request waits. */
        @Override
        public Optional<Runnable> detaching() {
            return connection.isEmpty() ? Optional.of(() -> {}) : Optional.empty();
        }

        private void answered(Head given) {
            if (!head.complete(given) && !isBroken()) {
                throw new IllegalStateException("a request is answered twice");
            }
        }

        private static Map<String, String> caseless(Map<String, String> plain) {
            Map<String, String> caseless = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            caseless.putAll(plain);
            return caseless;
        }
    }

    /** The server's stream. */
    private final class Stream implements EventStream {
        @Override
        public void send(@Nullable String id, Json message) {
            put(Event.message(id, message.toString(), null));
        }

        @Override
        public void prime(String id, @Nullable Duration retry) {
            put(Event.message(id, "", retry));
        }

        @Override
        public boolean isOpen() {
            synchronized (MemoryReply.this) {
                return !gone && !closed;
            }
        }

        @Override
        public boolean isEndedHere() {
            synchronized (MemoryReply.this) {
                return endedHere;
            }
        }

        @Override
        public void onGone(Runnable action) {
            goneActions.add(action);
            noticing.countDown();
        }

        @Override
        public void close() {
            synchronized (MemoryReply.this) {
                closed = true;
                goneActions.ended();
            }
            reading.countDown();
            events.add(END);
        }

        private void put(Event event) {
            Blocking.await(reading);
            synchronized (MemoryReply.this) {
                if (gone || closed) {
                    throw new PeerGoneException("the client has left");
                }
                events.add(event);
            }
        }
    }
}
