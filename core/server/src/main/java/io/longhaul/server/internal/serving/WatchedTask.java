// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.serving;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskWatcher;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.Guard;
import io.longhaul.server.TaskWatch;
import java.util.List;
import java.util.Optional;
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
    private Runnable onClose = () -> {};
    private boolean closed;
    private long toldEvent;
    private long toldVersion;

    private WatchedTask(TaskEngine engine, long after) {
        this.engine = engine;
        toldEvent = after;
    }

    /** Empty where the owner has no such task. */
    static Optional<WatchedTask> of(TaskEngine engine, Owner owner, TaskId id, long after) {
        var watch = new WatchedTask(engine, after);
        var watched = engine.watch(owner, id, watch);
        watched.ifPresent(found -> {
            watch.changed(found.now(), List.of());
            watch.onClose(found.stop());
        });
        return watched.map(found -> watch);
    }

    /** Runs {@code more} when the watch is closed; at once where the watch is closed already. */
    void onClose(Runnable more) {
        lock.lock();
        try {
            if (!closed) {
                var before = onClose;
                onClose = () -> {
                    before.run();
                    more.run();
                };
                return;
            }
        } finally {
            lock.unlock();
        }
        more.run();
    }

    @Override
    public void changed(Task now, List<TaskEvent> events) {
        lock.run(() -> {
            if (latest == null || latest.stamp().version() < now.stamp().version()) {
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
        long last = now.stamp().lastEvent();
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
        toldVersion = toldEvent >= last ? now.stamp().version() : toldVersion;
        return Optional.of(new TaskChange(now, events));
    }

    /** The task when it has a change to report; null where no more changes come. */
    private @Nullable Task awaitNews() throws InterruptedException {
        lock.lock();
        try {
            while (!closed) {
                var now = latest;
                if (now != null && now.stamp().version() > toldVersion) {
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
        Runnable end;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            end = onClose;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        end.run();
    }
}
