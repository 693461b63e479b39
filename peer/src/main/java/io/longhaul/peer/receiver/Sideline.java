package io.longhaul.peer.receiver;

import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskState;
import io.longhaul.peer.receiver.SideCursor.Mark;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.PeerGoneException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
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
    private static final int MOST_TOLD = 1_000;

    /**
     * One of them.
     *
     * @param track what its client can resume, or null on a connection
     */
    record Open(EventStream stream, @Nullable SideTrack track, Runnable released) {}

    /**
     * How much of a task was told.
     *
     * @param seq   its last event
     * @param state its state, or null where only the record of an earlier process knows
     */
    record Told(long seq, @Nullable TaskState state) {}

    private record Follower(Thread thread, boolean leaving) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Open> streams = new ArrayDeque<>();
    private final Map<String, SideTrack> tracks = new LinkedHashMap<>();
    private final Map<TaskId, Told> told = new LinkedHashMap<>();
    private final Map<TaskId, Follower> followed = new HashMap<>();
    private final Map<TaskId, Integer> awaited = new HashMap<>();
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
                stopFollowing();
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

    /** How much of the task was told on these streams, or null where none knows. */
    @Nullable
    Told told(TaskId task) {
        lock.lock();
        try {
            return told.get(task);
        } finally {
            lock.unlock();
        }
    }

    void tell(TaskId task, Told upTo) {
        lock.lock();
        try {
            put(told, task, upTo, MOST_TOLD);
        } finally {
            lock.unlock();
        }
    }

    void forgetTold() {
        lock.lock();
        try {
            told.clear();
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

    /** Follows a task on a thread of its own while a stream is open, unless it is followed already. */
    void follow(TaskId task, Runnable follower) {
        lock.lock();
        try {
            Follower before = followed.get(task);
            boolean heard = !streams.isEmpty() || own.isOpen(task);
            if (heard && (before == null || before.leaving())) {
                var thread = Thread.ofVirtual().name("follow-" + task).start(() -> {
                    try {
                        if (before != null) {
                            before.thread().join();
                        }
                        follower.run();
                    } catch (InterruptedException e) {
                        // The last stream was closed again: the next one takes the task up.
                    } finally {
                        unfollow(task);
                    }
                });
                followed.put(task, new Follower(thread, false));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Somebody waits for the outcome of the task on a stream of its own, which gets its questions. */
    void await(TaskId task) {
        count(task, 1);
    }

    void awaitNoMore(TaskId task) {
        count(task, -1);
    }

    boolean isAwaited(TaskId task) {
        lock.lock();
        try {
            return awaited.containsKey(task);
        } finally {
            lock.unlock();
        }
    }

    void close() {
        List<Open> gone;
        lock.lock();
        try {
            closed = true;
            followed.replaceAll((task, follower) -> leaving(follower));
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

    /** A follower that is told to leave may have a message half-way out: the next one of its task waits for it. */
    private void stopFollowing() {
        followed.replaceAll((task, follower) -> own.isOpen(task) ? follower : leaving(follower));
    }

    private static Follower leaving(Follower follower) {
        follower.thread().interrupt();
        return new Follower(follower.thread(), true);
    }

    /** The client has left the stream of the call that a task is of. */
    void leave(TaskId task, EventStream stream) {
        lock.lock();
        try {
            own.left(task, stream);
            if (streams.isEmpty() && !own.isOpen(task)) {
                followed.computeIfPresent(task, (id, follower) -> leaving(follower));
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

    private void unfollow(TaskId task) {
        lock.lock();
        try {
            Follower now = followed.get(task);
            if (now != null && now.thread().equals(Thread.currentThread())) {
                followed.remove(task);
            }
        } finally {
            lock.unlock();
        }
    }

    private void count(TaskId task, int more) {
        lock.lock();
        try {
            int now = awaited.getOrDefault(task, 0) + more;
            if (now == 0) {
                awaited.remove(task);
            } else {
                awaited.put(task, now);
            }
        } finally {
            lock.unlock();
        }
    }
}
