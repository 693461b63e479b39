package io.longhaul.receiver;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.receiver.SideCursor.Mark;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The stream of one call that no task stands behind, whatever connections carry it: what a client did not get because
 * its connection broke is kept in memory until it comes back. Thread-safe.
 */
final class CallTrack {

    private static final String PREFIX = "call-";
    private static final int MOST_BYTES = 256 << 10;
    private static final Mark NO_TASK = new Mark(Instant.EPOCH, null, 0);

    private final String name;
    private final SideTrack track;
    private final boolean comesBack;
    private final ReentrantLock lock = new ReentrantLock();
    private Runnable released = () -> {};
    private @Nullable EventStream stream;
    private boolean ended;

    /**
     * Makes the track of one call.
     *
     * @param random    tells it apart from others
     * @param comesBack whether the client's generation knows streams that are closed before their end
     */
    CallTrack(String session, String random, boolean comesBack) {
        name = SideCursor.name(session, PREFIX + random);
        track = new SideTrack(new SideCursor(name, 0, NO_TASK), MOST_BYTES);
        this.comesBack = comesBack;
    }

    /** Whether a cursor is one of such a stream. */
    static boolean isOne(SideCursor cursor) {
        return cursor.stream().startsWith(PREFIX);
    }

    String name() {
        return name;
    }

    /** Whether the client was told anything that it could come back for. */
    boolean isOpened() {
        lock.lock();
        try {
            return stream != null;
        } finally {
            lock.unlock();
        }
    }

    /** The first connection that carries it. */
    void open(EventStream first) {
        lock.lock();
        try {
            stream = first;
            attach(first, track.lastId());
        } finally {
            lock.unlock();
        }
    }

    void send(Json message) {
        lock.lock();
        try {
            deliver(message);
        } finally {
            lock.unlock();
        }
    }

    /** Sends the response. */
    void end(Json response) {
        lock.lock();
        try {
            deliver(response);
            end();
        } finally {
            lock.unlock();
        }
    }

    /** Ends without a response. */
    void end() {
        lock.lock();
        try {
            ended = true;
            if (stream != null) {
                stream.close();
            }
            released.run();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Goes on over another connection, in place of the last one.
     *
     * @param number the last message that the client has
     * @param next   opens the connection
     * @param after  run when it is needed no more
     * @return false where some of what came since is not kept
     */
    boolean resume(long number, Supplier<EventStream> next, Runnable after) {
        lock.lock();
        try {
            if (!track.covers(number)) {
                return false;
            }
            if (stream != null) {
                stream.close();
            }
            released.run();
            released = after;
            EventStream opened = next.get();
            stream = opened;
            track.replay(number, opened, last -> attach(opened, last));
            if (ended) {
                end();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void attach(EventStream to, String lastId) {
        if (comesBack && !ended) {
            to.clientComesBack();
            to.prime(lastId, null);
        }
    }

    private void deliver(Json message) {
        if (stream == null) {
            throw new IllegalStateException("the stream is not open");
        }
        try {
            track.send(stream, message, null);
        } catch (PeerGoneException e) {
            track.keep(message, () -> false);
        }
    }
}
