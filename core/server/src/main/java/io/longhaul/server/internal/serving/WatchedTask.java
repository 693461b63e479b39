// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.serving;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskWatcher;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.Guard;
import io.longhaul.server.TaskWatch;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * A watch that the engine notifies of each commit. The watch keeps the latest snapshot, and reads events from the
 * store.
 */
public final class WatchedTask implements TaskWatch, TaskWatcher {

    private static final int PAGE = 200;

    private final TaskEngine engine;
    private final Guard lock = new Guard();
    private final Condition changed = lock.newCondition();
    private @Nullable Task latest;
    private final Set<WatchedTask> open;
    private Runnable stop = () -> {};
    private boolean closed;
    private long toldEvent;
    private long toldVersion;

    private WatchedTask(TaskEngine engine, long after, Set<WatchedTask> open) {
        this.engine = engine;
        this.open = open;
        toldEvent = after;
    }

    /**
     * Empty where the owner has no such task.
     *
     * @param open holds the watch until it is closed
     */
    static Optional<TaskWatch> of(TaskEngine engine, Owner owner, TaskId id, long after, Set<WatchedTask> open) {
        var watch = new WatchedTask(engine, after, open);
        return engine.watch(owner, id, watch).map(found -> {
            watch.stop = found.stop();
            watch.changed(found.now(), List.of());
            open.add(watch);
            return watch;
        });
    }

    @Override
    public void changed(Task now, List<TaskEvent> events) {
        lock.run(() -> {
            if (latest == null || latest.position().version() < now.position().version()) {
                latest = now;
                changed.signalAll();
            }
        });
    }

    @Override
    public Optional<TaskChange> next() throws InterruptedException {
        var now = awaitNews();
        if (now == null) {
            return Optional.empty();
        }
        long last = now.position().lastEvent();
        var events = toldEvent >= last
                ? List.<TaskEvent>of()
                : engine.history(now.owner(), now.id(), toldEvent, PAGE).stream()
                        .filter(event -> event.seq() <= last)
                        .toList();
        if (events.isEmpty() && toldEvent < last) {
            // The task was deleted meanwhile: no more changes come.
            close();
            return Optional.empty();
        }
        toldEvent = events.isEmpty() ? toldEvent : events.getLast().seq();
        toldVersion = toldEvent >= last ? now.position().version() : toldVersion;
        return Optional.of(new TaskChange(now, events));
    }

    /** The task when it has a change to report; null where no more changes come. */
    private @Nullable Task awaitNews() throws InterruptedException {
        lock.lock();
        try {
            while (!closed) {
                var now = latest;
                if (now != null && now.position().version() > toldVersion) {
                    return now;
                }
                if (now != null && now.hasEndedWork()) {
                    return null;
                }
                changed.await();
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.run(() -> {
            if (closed) {
                return;
            }
            closed = true;
            changed.signalAll();
        });
        stop.run();
        open.remove(this);
    }
}
