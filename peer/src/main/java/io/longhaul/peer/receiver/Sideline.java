package io.longhaul.peer.receiver;

import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.PeerGoneException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one client for messages that belong to no request of it: those that it opened by GET, or its one
 * connection. Each message goes on one of them. Tasks are followed while one is open.
 */
final class Sideline {

    private static final int MOST = 4;

    private record Open(EventStream stream, Runnable released) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Open> streams = new ArrayDeque<>();
    private final Map<TaskId, Thread> followed = new HashMap<>();
    private final Map<TaskId, Integer> awaited = new HashMap<>();
    private boolean closed;

    /** Adds a stream; {@code released} is done when it is not needed any more. Beyond a few, the oldest makes way. */
    void add(EventStream stream, Runnable released) {
        List<Open> gone = new ArrayList<>();
        lock.lock();
        try {
            var open = new Open(stream, released);
            if (closed) {
                gone.add(open);
            } else {
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

    void remove(EventStream stream) {
        lock.lock();
        try {
            streams.removeIf(open -> open.stream().equals(stream));
            if (streams.isEmpty()) {
                followed.values().forEach(Thread::interrupt);
                followed.clear();
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isOpen() {
        return newest() != null;
    }

    /** Sends on the stream that was opened last; false where none is open. */
    boolean send(Json message) {
        for (EventStream stream = newest(); stream != null; stream = newest()) {
            try {
                stream.send(null, message);
                return true;
            } catch (PeerGoneException e) {
                remove(stream);
            }
        }
        return false;
    }

    /** Follows a task on a thread of its own while a stream is open, unless it is followed already. */
    void follow(TaskId task, Runnable follower) {
        lock.lock();
        try {
            if (!streams.isEmpty() && !followed.containsKey(task)) {
                followed.put(task, Thread.ofVirtual().name("follow-" + task).start(() -> {
                    try {
                        follower.run();
                    } finally {
                        unfollow(task);
                    }
                }));
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
            followed.values().forEach(Thread::interrupt);
            followed.clear();
            gone = List.copyOf(streams);
            streams.clear();
        } finally {
            lock.unlock();
        }
        gone.forEach(Sideline::release);
    }

    private static void release(Open open) {
        open.stream().close();
        open.released().run();
    }

    private @Nullable EventStream newest() {
        lock.lock();
        try {
            Open newest = streams.peekFirst();
            return newest == null ? null : newest.stream();
        } finally {
            lock.unlock();
        }
    }

    private void unfollow(TaskId task) {
        lock.lock();
        try {
            followed.remove(task, Thread.currentThread());
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
