// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.watch;

import io.longhaul.engine.TaskWatcher;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Task;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The watchers of one task: threads that wait for its next change, and callbacks for each change. Costs nothing while
 * there are none. A watcher registers first and then reads the task, so that no change is missed.
 */
public final class Watchers {

    private volatile @Nullable Set<Waiter> waiting;
    private volatile List<TaskWatcher> told = List.of();

    /** One thread's wait. */
    public final class Waiter {
        private final CountDownLatch woken = new CountDownLatch(1);

        public void wake() {
            woken.countDown();
        }

        public void await() throws InterruptedException {
            woken.await();
        }

        public void leave() {
            unregister(this);
        }
    }

    public Waiter register() {
        var waiter = new Waiter();
        synchronized (this) {
            Set<Waiter> all = waiting;
            if (all == null) {
                all = new LinkedHashSet<>(2);
                waiting = all;
            }
            all.add(waiter);
        }
        return waiter;
    }

    public void unregister(Waiter waiter) {
        synchronized (this) {
            Set<Waiter> all = waiting;
            if (all != null && all.remove(waiter) && all.isEmpty()) {
                waiting = null;
            }
        }
    }

    /** Whether there are no watchers. */
    synchronized boolean areNone() {
        return waiting == null && told.isEmpty();
    }

    public synchronized void add(TaskWatcher watcher) {
        var more = new ArrayList<>(told);
        more.add(watcher);
        told = List.copyOf(more);
    }

    public synchronized void remove(TaskWatcher watcher) {
        var rest = new ArrayList<>(told);
        rest.removeIf(watcher::equals);
        told = List.copyOf(rest);
    }

    /** Notifies all watchers of a change, on this thread. */
    public void changed(Task now, List<TaskEvent> events) {
        told.forEach(watcher -> watcher.changed(now, events));
        wakeAll();
    }

    /** Notifies all watchers that the task was removed, on this thread. */
    void removed() {
        told.forEach(TaskWatcher::removed);
        wakeAll();
    }

    public void wakeAll() {
        if (waiting == null) {
            return;
        }
        List<Waiter> all;
        synchronized (this) {
            Set<Waiter> set = waiting;
            all = set == null ? List.of() : new ArrayList<>(set);
            waiting = null;
        }
        all.forEach(Waiter::wake);
    }
}
