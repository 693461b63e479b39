// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The open streams of one server. Whoever has a timer has it look at them. Thread-safe. */
public final class Streams {

    private static final long MIN_TICK_MILLIS = 10;
    private static final long MAX_TICK_MILLIS = 1000;

    private final Duration keepAlive;
    private final @Nullable Polling polling;
    private final Set<SseStream> open = ConcurrentHashMap.newKeySet();

    /**
     * Begins with no stream.
     *
     * @param keepAlive an idle stream gets a comment this often
     * @param polling   how long a stream that can be resumed is held, or null for as long as it takes
     */
    public Streams(Duration keepAlive, @Nullable Polling polling) {
        this.keepAlive = keepAlive;
        this.polling = polling;
    }

    /** How often to look at what is due after {@code time}, in milliseconds. */
    public static long tickMillis(Duration time) {
        return Math.clamp(time.toMillis() / 4, MIN_TICK_MILLIS, MAX_TICK_MILLIS);
    }

    /** How often to look at the streams, in milliseconds. */
    public long tickMillis() {
        var tick = tickMillis(keepAlive);
        return polling == null ? tick : Math.min(tick, tickMillis(polling.open()));
    }

    /** Keeps idle streams alive, and ends for a while those whose time is over. Does not block. */
    public void look(long nanos) {
        open.forEach(stream -> stream.look(nanos, keepAlive.toNanos()));
    }

    /** How many there are. */
    public int count() {
        return open.size();
    }

    /** Ends them all, and waits for none. */
    public void close() {
        open.forEach(stream -> Thread.ofVirtual().start(stream::close));
    }

    /** How streams that can be resumed are polled, or null where they are held. */
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
