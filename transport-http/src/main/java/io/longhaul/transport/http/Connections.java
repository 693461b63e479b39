package io.longhaul.transport.http;

import io.longhaul.protocol.transport.TransportLoad;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The open connections and streams of one server, and the one timer that looks after them: keeps idle streams alive,
 * cuts off clients that send or read too slowly. Thread-safe.
 */
final class Connections implements AutoCloseable {

    private static final long MIN_TICK_MILLIS = 10;
    private static final long MAX_TICK_MILLIS = 1000;
    private static final long SECOND = 1_000_000_000L;

    private final Times times;
    private final Places places;
    private final long mostUnread;
    private final AtomicLong unread = new AtomicLong();
    private final Set<SseStream> streams = ConcurrentHashMap.newKeySet();
    private final Seldom nonsense = new Seldom(LoggerFactory.getLogger(HttpConnection.class), SECOND, System::nanoTime);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("http-timer").factory());

    /**
     * How long what may take.
     *
     * @param keepAlive an idle stream gets a comment this often
     * @param timeout  a request must have arrived, and a piece of an answer must have been taken, within this time
     * @param polling   how long a stream that can be resumed is held, or null for as long as it takes
     */
    record Times(
            Duration keepAlive, Duration timeout, @Nullable Polling polling) {

        private long tickMillis() {
            var shorter = Math.min(keepAlive.toMillis(), timeout.toMillis());
            if (polling != null) {
                shorter = Math.min(shorter, polling.open().toMillis());
            }
            return Math.clamp(shorter / 4, MIN_TICK_MILLIS, MAX_TICK_MILLIS);
        }
    }

    /**
     * Begins to look after what is added.
     *
     * @param mostUnread how many bytes may wait for their clients to read them before slow ones are cut early
     */
    Connections(Times times, Places places, long mostUnread) {
        this.times = times;
        this.places = places;
        this.mostUnread = mostUnread;
        var tick = times.tickMillis();
        timer.scheduleWithFixedDelay(this::look, tick, tick, TimeUnit.MILLISECONDS);
    }

    /** Where connections have their places. */
    Places places() {
        return places;
    }

    TransportLoad load() {
        return new TransportLoad(places.count(), streams.size());
    }

    /** How streams that can be resumed are polled, or null where they are held. */
    @Nullable
    Polling polling() {
        return times.polling();
    }

    void add(SseStream stream) {
        streams.add(stream);
    }

    void remove(SseStream stream) {
        streams.remove(stream);
    }

    /** So many bytes more wait for their client to read them, or fewer. */
    void unread(long bytes) {
        unread.addAndGet(bytes);
    }

    /** Tells the operator of a client that sends what is no request. */
    void malformed(HttpConnection connection, HttpRefusal refusal) {
        nonsense.warn("A malformed request from " + connection.address().getHostAddress() + " was refused with "
                + refusal.status() + ": " + refusal.message());
    }

    private void look() {
        var now = System.nanoTime();
        var sending = times.timeout().toNanos();
        var reading = unread.get() > mostUnread ? Math.min(sending, SECOND) : sending;
        places.all().forEach(connection -> connection.look(now, sending, reading));
        streams.forEach(stream -> stream.look(now, times.keepAlive().toNanos()));
    }

    /** Ends the streams, and the connections that serve no request. */
    @Override
    public void close() {
        timer.shutdownNow();
        streams.forEach(stream -> Thread.ofVirtual().start(stream::close));
        places.all().forEach(HttpConnection::end);
    }

    /** Waits until no connection is left, and cuts those that are left after {@code grace}. */
    void finish(Duration grace) {
        places.awaitNone(grace);
        places.all().forEach(HttpConnection::abort);
    }
}
