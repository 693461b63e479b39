// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.serving;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TaskStatistics;
import io.longhaul.engine.TaskTime;
import io.longhaul.engine.TaskWatcher;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.ListedTasks;
import io.longhaul.engine.store.MemoryRowStore;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The engine of a server without a store: there are no tasks, and sessions end with the process. */
public record NoTasks(TaskTime time, TaskLimits limits, RowStore rows) implements TaskEngine {

    public NoTasks(TaskTime time, TaskLimits limits) {
        this(time, limits, new MemoryRowStore(() -> {}, false));
    }

    @Override
    public void offer(Work work) {
        throw needsStore(work.name());
    }

    @Override
    public void limits(TaskLimits other) {
        // There are no tasks to limit.
    }

    @Override
    public Created create(Creation creation, String share) {
        throw new IllegalStateException("a server without a store has no tasks");
    }

    @Override
    public boolean log(Owner owner, TaskId id, EventDetail.Logged line) {
        return false;
    }

    @Override
    public Created resume(Creation creation, String share, Task ended) {
        return create(creation, share);
    }

    @Override
    public Optional<Task> find(Owner owner, String creationKey) {
        return Optional.empty();
    }

    @Override
    public ListedTasks list(TaskFilter filter, @Nullable TaskId before, int limit) {
        return ListedTasks.NONE;
    }

    @Override
    public Optional<Task> find(TaskId id) {
        return Optional.empty();
    }

    @Override
    public List<Task> routed(Owner owner, Route route, @Nullable TaskId after, int limit) {
        return List.of();
    }

    @Override
    public Answered answer(Owner owner, TaskId id, Map<String, Payload> answers) {
        return new Answered.NotFound();
    }

    @Override
    public Cancelled cancel(Owner owner, TaskId id, @Nullable String reason) {
        return new Cancelled.NotFound();
    }

    @Override
    public Retained retain(Owner owner, TaskId id, Retention retention) {
        return new Retained.NotFound();
    }

    @Override
    public Deleted delete(Owner owner, TaskId id) {
        return new Deleted.NotFound();
    }

    @Override
    public List<TaskEvent> history(Owner owner, TaskId id, long after, int limit) {
        return List.of();
    }

    @Override
    public Optional<Task> awaitChange(Owner owner, TaskId id, long version, Instant deadline) {
        return Optional.empty();
    }

    @Override
    public Optional<Watched> watch(Owner owner, TaskId id, TaskWatcher watcher) {
        return Optional.empty();
    }

    @Override
    public Instant startedAt() {
        return Instant.EPOCH;
    }

    @Override
    public TaskStatistics statistics() {
        return TaskStatistics.NONE;
    }

    @Override
    public void beginClose() {
        // No work runs.
    }

    @Override
    public void close(Duration grace) {
        // Nothing outlives the process.
    }

    /** The error of a server that has a long-running tool and no store. */
    public static IllegalStateException needsStore(String tool) {
        return new IllegalStateException("tool '" + tool + "' is long-running, and there is no store to keep its tasks:"
                + " add .store(...), such as a SqliteTaskStore");
    }
}
