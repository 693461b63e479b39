package io.longhaul.receiver;

import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.receiver.SideCursor.Mark;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one client for messages that belong to no request of it: those that it opened by GET, or its one
 * connection. Each message goes on one of them. Tasks are followed while one is open.
 */
final class Sideline {

    private static final int MOST = 4;
    private static final int MOST_TRACKS = 8;

    /**
     * One of them.
     *
     * @param track what its client can resume, or null on a connection
     */
    record Open(EventStream stream, @Nullable SideTrack track, Runnable released) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Open> streams = new ArrayDeque<>();
    private final Map<String, SideTrack> tracks = new LinkedHashMap<>();
    private final Tellers tellers = new Tellers();
    private final OwnStreams own = new OwnStreams();
    private boolean closed;

    /** Adds the stream of a connection. */
    void add(EventStream stream) {
        add(new Open(stream, null, () -> {}));
    }

    /** Adds a stream, in place of one that carried the same track. Beyond a few, the oldest makes way. */
    void add(Open open) {
        List<Open> gone = new ArrayList<>();
        lock.lock();
        try {
            if (closed) {
                gone.add(open);
            } else {
                if (open.track() != null) {
                    streams.stream()
                            .filter(other -> open.track().equals(other.track()))
                            .forEach(gone::add);
                    streams.removeAll(gone);
                    put(tracks, open.track().name(), open.track(), MOST_TRACKS);
                }
                streams.addFirst(open);
                if (streams.size() > MOST) {
                    gone.add(streams.removeLast());
                }
            }
        } finally {
            lock.unlock();
        }
        gone.forEach(Sideline::release);
    }

    /** Who tells what of which task. */
    Tellers tellers() {
        return tellers;
    }

    /** Streams of calls that were answered with a task, which go before these. */
    OwnStreams own() {
        return own;
    }

    /** From now on what finds no open stream is kept for this one, which is being opened. */
    void remember(SideTrack track) {
        lock.lock();
        try {
            put(tracks, track.name(), track, MOST_TRACKS);
        } finally {
            lock.unlock();
        }
    }

    void remove(EventStream stream) {
        lock.lock();
        try {
            streams.removeIf(open -> open.stream().equals(stream));
            if (streams.isEmpty()) {
                tellers.leave(task -> !own.isOpen(task));
            }
        } finally {
            lock.unlock();
        }
    }

    /** The track of that name, if it is remembered. */
    Optional<SideTrack> track(String name) {
        lock.lock();
        try {
            return Optional.ofNullable(tracks.get(name));
        } finally {
            lock.unlock();
        }
    }

    boolean isOpen() {
        return newest() != null;
    }

    /** Whether what is sent reaches the client, now or when it comes back to a stream. */
    boolean isReachable() {
        lock.lock();
        try {
            return !streams.isEmpty() || !tracks.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Sends what no record keeps, or keeps it for a client that may come back; false where nothing is there for it. */
    boolean send(Json message) {
        boolean there = true;
        boolean done = send(message, null);
        while (!done) {
            var track = newestTrack();
            there = track.isPresent();
            done = !there || track.get().keep(message, this::isOpen) || send(message, null);
        }
        return there;
    }

    /**
     * Sends on the stream of the call that a task is of, if its client has come back to that, or else on the stream
     * that was opened last; false where none is open.
     */
    boolean send(Json message, @Nullable Mark mark) {
        if (mark != null && mark.task() != null && own.send(mark.task(), mark.seq(), message)) {
            return true;
        }
        for (Open open = newest(); open != null; open = newest()) {
            try {
                if (open.track() == null) {
                    open.stream().send(null, message);
                } else {
                    open.track().send(open.stream(), message, mark);
                }
                return true;
            } catch (PeerGoneException e) {
                remove(open.stream());
            }
        }
        return false;
    }

    /** Follows a task while a stream is open, unless it is followed already. */
    void follow(TaskId task, Runnable follower) {
        lock.lock();
        try {
            if (!streams.isEmpty() || own.isOpen(task)) {
                tellers.follow(task, follower);
            }
        } finally {
            lock.unlock();
        }
    }

    void close() {
        List<Open> gone;
        lock.lock();
        try {
            closed = true;
            tellers.leave(task -> true);
            gone = List.copyOf(streams);
            streams.clear();
        } finally {
            lock.unlock();
        }
        gone.forEach(Sideline::release);
        own.close();
    }

    private static void release(Open open) {
        open.stream().close();
        open.released().run();
    }

    private @Nullable Open newest() {
        lock.lock();
        try {
            return streams.peekFirst();
        } finally {
            lock.unlock();
        }
    }

    private Optional<SideTrack> newestTrack() {
        lock.lock();
        try {
            return tracks.values().stream().reduce((older, newer) -> newer);
        } finally {
            lock.unlock();
        }
    }

    /** The client has left the stream of the call that a task is of. */
    void leave(TaskId task, EventStream stream) {
        lock.lock();
        try {
            own.left(task, stream);
            if (streams.isEmpty() && !own.isOpen(task)) {
                tellers.leave(task::equals);
            }
        } finally {
            lock.unlock();
        }
    }

    private static <K, V> void put(Map<K, V> map, K key, V value, int most) {
        map.remove(key);
        map.put(key, value);
        if (map.size() > most) {
            map.remove(map.keySet().iterator().next());
        }
    }
}
