// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import io.longhaul.protocol.transport.TransportLoad;
import io.longhaul.transport.streamable.request.HttpRefusal;
import io.longhaul.transport.streamable.stream.Streams;
import io.longhaul.transport.streamable.stream.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.LoggerFactory;

/**
 * The open connections and streams of one server, and their timer. The timer keeps idle streams alive, and cuts clients
 * that send or read too slowly. Thread-safe.
 */
final class Connections implements AutoCloseable {

    private static final long SECOND = 1_000_000_000L;

    private final Duration timeout;
    private final Streams streams;
    private final ConnectionLimit places;
    private final long mostHeld;
    private final AtomicLong held = new AtomicLong();
    private final Seldom nonsense = new Seldom(LoggerFactory.getLogger(HttpConnection.class), SECOND, System::nanoTime);
    private final Ticker timer;

    /**
     * Starts the timer.
     *
     * @param timeout    the time for a request to arrive, and for a client to read a piece of an answer
     * @param mostHeld how many bytes in all may wait for clients before slow clients are cut early
     */
    Connections(Duration timeout, Streams streams, ConnectionLimit places, long mostHeld) {
        this.timeout = timeout;
        this.streams = streams;
        this.places = places;
        this.mostHeld = mostHeld;
        var tick = Math.min(streams.tickMillis(), Streams.tickMillis(timeout));
        timer = Ticker.every(tick, "http-timer", this::look);
    }

    /** The places of the connections. */
    ConnectionLimit places() {
        return places;
    }

    TransportLoad load() {
        return new TransportLoad(places.count(), streams.count());
    }

    /**
     * Counts bytes in memory that wait for a client: those of an answer that the client has not read, and of a request
     * that it has not sent to its end. Negative for bytes that wait no longer.
     */
    void held(long bytes) {
        held.addAndGet(bytes);
    }

    /** Logs that a client has sent a malformed request. */
    void malformed(HttpConnection connection, HttpRefusal refusal) {
        nonsense.warn("A malformed request from " + connection.address() + " was refused with " + refusal.status()
                + ": " + refusal.message());
    }

    private void look() {
        var now = System.nanoTime();
        var patience = held.get() > mostHeld ? Math.min(timeout.toNanos(), SECOND) : timeout.toNanos();
        places.all().forEach(connection -> connection.look(now, patience));
        streams.look(now);
    }

    /** Ends the streams, and the connections that serve no request. */
    @Override
    public void close() {
        timer.close();
        streams.close();
        places.all().forEach(HttpConnection::end);
    }

    /** Waits until no connection is left, and cuts those that are left after {@code grace}. */
    void finish(Duration grace) {
        places.awaitNone(grace);
        places.all().forEach(HttpConnection::abort);
    }
}
