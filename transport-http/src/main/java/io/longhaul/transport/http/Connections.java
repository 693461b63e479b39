package io.longhaul.transport.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The open connections and streams of one server, and the one timer that looks after them: keeps idle streams alive,
 * cuts off clients that send or read too slowly. Thread-safe.
 */
final class Connections implements AutoCloseable {

    private static final long MIN_TICK_MILLIS = 10;
    private static final long MAX_TICK_MILLIS = 1000;

    private final long keepAlive;
    private final @Nullable Polling polling;
    private final long patience;
    private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();
    private final Set<SseStream> streams = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("http-timer").factory());

    /**
     * Begins to look after what is added.
     *
     * @param keepAlive an idle stream gets a comment this often
     * @param patience  a request must have arrived, and a write to a stream must have been taken, within this time
     * @param polling   how long a stream that can be resumed is held, or null for as long as it takes
     */
    Connections(Duration keepAlive, Duration patience, @Nullable Polling polling) {
        this.keepAlive = keepAlive.toNanos();
        this.polling = polling;
        this.patience = patience.toNanos();
        var shorter = Math.min(keepAlive.toMillis(), patience.toMillis());
        if (polling != null) {
            shorter = Math.min(shorter, polling.open().toMillis());
        }
        var tick = Math.clamp(shorter / 4, MIN_TICK_MILLIS, MAX_TICK_MILLIS);
        timer.scheduleWithFixedDelay(this::look, tick, tick, TimeUnit.MILLISECONDS);
    }

    void add(HttpConnection connection) {
        connections.add(connection);
    }

    void remove(HttpConnection connection) {
        connections.remove(connection);
    }

    /** How streams that can be resumed are polled, or null where they are held. */
    @Nullable
    Polling polling() {
        return polling;
    }

    void add(SseStream stream) {
        streams.add(stream);
    }

    void remove(SseStream stream) {
        streams.remove(stream);
    }

    private void look() {
        var now = System.nanoTime();
        for (var connection : connections) {
            if (connection.isTooSlow(now, patience)) {
                connection.cut();
            }
        }
        for (var stream : streams) {
            stream.look(now, keepAlive, patience);
        }
    }

    /** Ends the streams. */
    @Override
    public void close() {
        timer.shutdownNow();
        streams.forEach(stream -> Thread.ofVirtual().start(stream::close));
    }

    /** Cuts what is still open. */
    void cut() {
        connections.forEach(HttpConnection::cut);
    }
}
