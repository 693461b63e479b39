// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.Guard;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Collects the changed tasks of each beat, for any number of readers at their own pace. A reader that falls behind
 * learns that any task may have changed. Ids are not collected while there is no reader. Thread-safe.
 */
final class ChangedTasks {

    static final int MOST_TASKS = 500;
    private static final int KEPT_BEATS = 20;

    private final Guard lock = new Guard();
    private final Condition beaten = lock.newCondition();
    private final ArrayDeque<Beat> kept = new ArrayDeque<>();
    private final AtomicInteger readers = new AtomicInteger();
    private Map<TaskId, Owner> changed = new HashMap<>();
    private boolean any;
    private long beat;
    private boolean closed;

    /**
     * The changes of one or more beats.
     *
     * @param number the number of the beat, from which the next read continues
     * @param tasks  the changed tasks with their owners
     * @param any    whether other tasks may have changed, or were removed
     */
    record Beat(long number, Map<TaskId, Owner> tasks, boolean any) {

        private Beat and(Beat later) {
            var both = new HashMap<>(tasks);
            both.putAll(later.tasks);
            return new Beat(later.number, both, any || later.any);
        }
    }

    /** Adds a reader, and gives the number of the beat from which it reads on. */
    long join() {
        readers.incrementAndGet();
        return lock.get(() -> beat);
    }

    void leave() {
        readers.decrementAndGet();
    }

    void changed(TaskId id, Owner owner) {
        if (readers.get() > 0) {
            lock.run(() -> {
                if (changed.size() < MOST_TASKS) {
                    changed.put(id, owner);
                } else {
                    any = true;
                }
            });
        }
    }

    /** Marks that any task may have changed: tasks were removed, or too many have changed. */
    void changedAny() {
        lock.run(() -> any = true);
    }

    /** Ends a beat, and wakes the readers. */
    void publish() {
        lock.run(() -> {
            beat++;
            kept.add(new Beat(beat, changed, any));
            if (kept.size() > KEPT_BEATS) {
                kept.remove();
            }
            changed = new HashMap<>();
            any = false;
            beaten.signalAll();
        });
    }

    /** Waits for the next beat, and gives the changes since beat {@code number}; empty once this is closed. */
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
        lock.run(() -> {
            closed = true;
            beaten.signalAll();
        });
    }
}
