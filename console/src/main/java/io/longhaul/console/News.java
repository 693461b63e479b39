// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.TaskId;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks have changed, gathered from one beat to the next, for any number of readers that each go at their own
 * pace. A reader that falls behind is told that any task may have changed. Nothing is gathered while there is no
 * reader. Thread-safe.
 */
final class News {

    static final int MOST_TASKS = 500;
    private static final int KEPT_BEATS = 20;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition beaten = lock.newCondition();
    private final ArrayDeque<Beat> kept = new ArrayDeque<>();
    private final AtomicInteger readers = new AtomicInteger();
    private Map<TaskId, Owner> changed = new HashMap<>();
    private boolean any;
    private long beat;
    private boolean closed;

    /**
     * What has changed.
     *
     * @param number of the beat, which the next look goes on from
     * @param tasks  those that have changed, with their owners
     * @param any    whether others may have changed, or have been removed
     */
    record Beat(long number, Map<TaskId, Owner> tasks, boolean any) {

        private Beat and(Beat later) {
            var both = new HashMap<>(tasks);
            both.putAll(later.tasks);
            return new Beat(later.number, both, any || later.any);
        }
    }

    /** One reader more. Gives the beat from which it reads on. */
    long join() {
        readers.incrementAndGet();
        lock.lock();
        try {
            return beat;
        } finally {
            lock.unlock();
        }
    }

    void leave() {
        readers.decrementAndGet();
    }

    void changed(TaskId id, Owner owner) {
        if (readers.get() > 0) {
            lock.lock();
            try {
                if (changed.size() < MOST_TASKS) {
                    changed.put(id, owner);
                } else {
                    any = true;
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Tasks were removed, or there is more to tell than their ids. */
    void changedAny() {
        lock.lock();
        try {
            any = true;
        } finally {
            lock.unlock();
        }
    }

    /** Ends a beat: its readers look. */
    void publish() {
        lock.lock();
        try {
            beat++;
            kept.add(new Beat(beat, changed, any));
            if (kept.size() > KEPT_BEATS) {
                kept.remove();
            }
            changed = new HashMap<>();
            any = false;
            beaten.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** What has changed since a beat, after the next one; empty when there are no more. */
    Optional<Beat> after(long number) throws InterruptedException {
        lock.lock();
        try {
            while (!closed && beat <= number) {
                beaten.await();
            }
            return closed ? Optional.empty() : Optional.of(since(number));
        } finally {
            lock.unlock();
        }
    }

    private Beat since(long number) {
        @Nullable Beat all = null;
        for (var one : kept) {
            if (one.number > number) {
                all = all == null ? one : all.and(one);
            }
        }
        boolean missed = kept.getFirst().number > number + 1;
        return all == null || missed ? new Beat(beat, Map.of(), true) : all;
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            beaten.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
