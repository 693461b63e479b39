package io.longhaul.receiver;

import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.PeerGoneException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Streams of calls that were answered with a task, to which the client of one session has come back: what is told of
 * such a task goes there and nowhere else. Thread-safe.
 */
final class OwnStreams {

    private static final int MOST_TOLD = 1_000;

    /**
     * One of them.
     *
     * @param from     names it, and the events on it
     * @param released run when it carries no more
     */
    record Own(EventStream stream, StreamCursor from, Runnable released) {}

    private final Map<TaskId, Own> open = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<TaskId, Long> told = new LinkedHashMap<>();
    private boolean closed;

    /**
     * Adds one, in place of an earlier one of the same call. What happens while it opens waits until it is open, so
     * that its client, once it can know that, finds all that follows there.
     *
     * @param opening opens it, and sends what goes before all else
     */
    Own open(Supplier<Own> opening) {
        Own own;
        Own before;
        lock.lock();
        try {
            own = opening.get();
            before = closed ? own : open.put(own.from().task(), own);
        } finally {
            lock.unlock();
        }
        if (before != null) {
            release(before);
        }
        return own;
    }

    boolean isOpen() {
        return !open.isEmpty();
    }

    boolean isOpen(TaskId task) {
        return open.containsKey(task);
    }

    /** Its client has left it. */
    void left(TaskId task, EventStream stream) {
        open.computeIfPresent(task, (id, own) -> own.stream().equals(stream) ? null : own);
    }

    /** Nothing more is told of the task. */
    void end(TaskId task) {
        Own own = open.remove(task);
        if (own != null) {
            release(own);
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        List.copyOf(open.keySet()).forEach(this::end);
    }

    /**
     * Sends what was told of a task up to an event of it; false where its call has no open stream.
     *
     * @param seq of that event
     */
    boolean send(TaskId task, long seq, Json message) {
        Own own = find(task);
        if (own == null) {
            return false;
        }
        try {
            own.stream().send(own.from().at(seq).text(), message);
        } catch (PeerGoneException e) {
            left(task, own.stream());
            return false;
        }
        lock.lock();
        try {
            told.remove(task);
            told.put(task, seq);
            if (told.size() > MOST_TOLD) {
                told.remove(told.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
        return true;
    }

    /** The last event of a task that was told on the stream of its call; 0 where none was, or nobody remembers. */
    long told(TaskId task) {
        lock.lock();
        try {
            return told.getOrDefault(task, 0L);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Own find(TaskId task) {
        lock.lock();
        try {
            return open.get(task);
        } finally {
            lock.unlock();
        }
    }

    private static void release(Own own) {
        own.stream().close();
        own.released().run();
    }
}
