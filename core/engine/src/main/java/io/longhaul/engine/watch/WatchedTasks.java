// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.watch;

import io.longhaul.engine.TaskWatcher;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that this node does not run, but that watchers or threads of this node wait for. Such a task is read again when
 * the store has a later version than the last one that was reported. Thread-safe.
 */
public final class WatchedTasks {

    /** The watchers of one task; a task that two nodes have had in turn may have several entries. */
    private static final class Entry {
        private final Watchers watchers;
        private final ReentrantLock telling = new ReentrantLock();
        private volatile long told;

        Entry(Watchers watchers) {
            this.watchers = watchers;
        }

        /** Reports a version unless it or a later version was reported before. */
        void tell(long version, @Nullable Task task) {
            telling.lock();
            try {
                if (told >= version) {
                    return;
                }
                if (task == null) {
                    watchers.removed();
                } else {
                    watchers.changed(task, List.of());
                }
                told = version;
            } finally {
                telling.unlock();
            }
        }
    }

    private final Map<TaskId, List<Entry>> entries = new TreeMap<>();
    private final EarlyPoll earlyPoll;

    public WatchedTasks(EarlyPoll earlyPoll) {
        this.earlyPoll = earlyPoll;
    }

    /** Registers a thread that waits for the task to change. */
    public Watchers.Waiter register(TaskId id) {
        return changing(() -> watchers(id).register());
    }

    /** Adds a watcher for each change from now on. */
    public Watchers add(TaskId id, TaskWatcher watcher) {
        return changing(() -> {
            var watchers = watchers(id);
            watchers.add(watcher);
            return watchers;
        });
    }

    /** Takes over the watchers of a task that another node has now. */
    public void adopt(TaskId task, Watchers watchers) {
        changing(() -> {
            if (!watchers.areNone()) {
                entries.computeIfAbsent(task, id -> new ArrayList<>()).add(new Entry(watchers));
            }
            return watchers;
        });
    }

    private <T> T changing(Supplier<T> change) {
        T changed;
        boolean isFirst;
        synchronized (this) {
            boolean wasEmpty = entries.isEmpty();
            changed = change.get();
            isFirst = wasEmpty && !entries.isEmpty();
        }
        if (isFirst) {
            earlyPoll.soon();
        }
        return changed;
    }

    private Watchers watchers(TaskId id) {
        var of = entries.computeIfAbsent(id, key -> new ArrayList<>());
        if (of.isEmpty()) {
            of.add(new Entry(new Watchers()));
        }
        return of.getFirst().watchers;
    }

    /** The tasks that are still watched, in a deterministic order for simulations. */
    public synchronized Set<TaskId> ids() {
        entries.values().forEach(of -> of.removeIf(entry -> entry.watchers.areNone()));
        entries.values().removeIf(List::isEmpty);
        return new TreeSet<>(entries.keySet());
    }

    /**
     * Reports changed tasks to their watchers.
     *
     * @param ids      the tasks that were asked for
     * @param versions the versions of the tasks that exist
     * @param reader   reads a task; null where the task does not exist any more
     */
    public void changed(Set<TaskId> ids, Map<TaskId, Long> versions, Function<TaskId, @Nullable Task> reader) {
        for (TaskId id : ids) {
            long version = versions.getOrDefault(id, Long.MAX_VALUE);
            var behind = behind(id, version);
            if (behind.isEmpty()) {
                continue;
            }
            Task task = version == Long.MAX_VALUE ? null : reader.apply(id);
            tell(id, behind, task == null ? Long.MAX_VALUE : task.position().version(), task);
        }
    }

    /** Reports a version that this node has just read to the watchers of the task, before the next poll. */
    public void seen(Task task) {
        long version = task.position().version();
        tell(task.id(), behind(task.id(), version), version, task);
    }

    private void tell(TaskId id, List<Entry> behind, long version, @Nullable Task task) {
        behind.forEach(entry -> entry.tell(version, task));
        if (!behind.isEmpty() && (task == null || task.hasEndedWork())) {
            forget(id, behind);
        }
    }

    private synchronized List<Entry> behind(TaskId id, long version) {
        return entries.getOrDefault(id, List.of()).stream()
                .filter(entry -> entry.told < version)
                .toList();
    }

    /** Forgets watchers of a task that will not change any more. */
    private synchronized void forget(TaskId id, List<Entry> over) {
        entries.computeIfPresent(id, (key, of) -> {
            of.removeAll(over);
            return of.isEmpty() ? null : of;
        });
        over.forEach(entry -> entry.watchers.wakeAll());
    }

    /** Wakes all threads that wait: the engine is closed. */
    public synchronized void wakeAll() {
        entries.values().forEach(of -> of.forEach(entry -> entry.watchers.wakeAll()));
    }
}
