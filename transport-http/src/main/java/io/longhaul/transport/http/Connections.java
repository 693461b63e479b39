// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import io.longhaul.protocol.transport.TransportLoad;
import io.longhaul.transport.streamable.HttpRefusal;
import io.longhaul.transport.streamable.Streams;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
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
    private final Places places;
    private final long mostUnread;
    private final AtomicLong unread = new AtomicLong();
    private final Seldom nonsense = new Seldom(LoggerFactory.getLogger(HttpConnection.class), SECOND, System::nanoTime);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("http-timer").factory());

    /**
     * Starts the timer.
     *
     * @param timeout    the time for a request to arrive, and for a client to read a piece of an answer
     * @param mostUnread how many bytes in all may wait for clients before slow clients are cut early
     */
    Connections(Duration timeout, Streams streams, Places places, long mostUnread) {
        this.timeout = timeout;
        this.streams = streams;
        this.places = places;
        this.mostUnread = mostUnread;
        var tick = Math.min(streams.tickMillis(), Streams.tickMillis(timeout));
        timer.scheduleWithFixedDelay(this::look, tick, tick, TimeUnit.MILLISECONDS);
    }

    /** The places of the connections. */
    Places places() {
        return places;
    }

    TransportLoad load() {
        return new TransportLoad(places.count(), streams.count());
    }

    /** Counts bytes that wait for a client to read them; negative for bytes that wait no longer. */
    void unread(long bytes) {
        unread.addAndGet(bytes);
    }

    /** Logs that a client has sent a malformed request. */
    void malformed(HttpConnection connection, HttpRefusal refusal) {
        nonsense.warn("A malformed request from " + connection.address() + " was refused with " + refusal.status()
                + ": " + refusal.message());
    }

    private void look() {
        var now = System.nanoTime();
        var sending = timeout.toNanos();
        var reading = unread.get() > mostUnread ? Math.min(sending, SECOND) : sending;
        places.all().forEach(connection -> connection.look(now, sending, reading));
        streams.look(now);
    }

    /** Ends the streams, and the connections that serve no request. */
    @Override
    public void close() {
        timer.shutdownNow();
        streams.close();
        places.all().forEach(HttpConnection::end);
    }

    /** Waits until no connection is left, and cuts those that are left after {@code grace}. */
    void finish(Duration grace) {
        places.awaitNone(grace);
        places.all().forEach(HttpConnection::abort);
    }
}
