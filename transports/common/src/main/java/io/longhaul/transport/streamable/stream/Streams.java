// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable.stream;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The open streams of one server. A timer of the server calls {@link #look}. Thread-safe. */
public final class Streams {

    private static final long MIN_TICK_MILLIS = 10;
    private static final long MAX_TICK_MILLIS = 1000;

    private final Duration keepAlive;
    private final @Nullable Polling polling;
    private final Set<SseStream> open = ConcurrentHashMap.newKeySet();

    /**
     * An empty set of streams.
     *
     * @param keepAlive an idle stream gets a comment this often
     * @param polling   how long a resumable stream is held, or null for no limit
     */
    public Streams(Duration keepAlive, @Nullable Polling polling) {
        this.keepAlive = keepAlive;
        this.polling = polling;
    }

    /** The interval of checks for something that is due after {@code time}, in milliseconds. */
    public static long tickMillis(Duration time) {
        return Math.clamp(time.toMillis() / 4, MIN_TICK_MILLIS, MAX_TICK_MILLIS);
    }

    /** The interval of checks of the streams, in milliseconds. */
    public long tickMillis() {
        var tick = tickMillis(keepAlive);
        return polling == null ? tick : Math.min(tick, tickMillis(polling.open()));
    }

    /** Keeps idle streams alive, and closes the connections of streams that were held long enough. Does not block. */
    public void look(long nanos) {
        open.forEach(stream -> stream.look(nanos, keepAlive.toNanos()));
    }

    /** The number of open streams. */
    public int count() {
        return open.size();
    }

    /** Ends all streams, without waiting. */
    public void close() {
        open.forEach(stream -> Thread.ofVirtual().start(stream::close));
    }

    /** The times with which clients poll resumable streams, or null where streams are held. */
    @Nullable
    Polling polling() {
        return polling;
    }

    void add(SseStream stream) {
        open.add(stream);
    }

    void remove(SseStream stream) {
        open.remove(stream);
    }
}
