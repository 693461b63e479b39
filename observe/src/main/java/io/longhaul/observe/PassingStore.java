package io.longhaul.observe;

import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Passes each call on to a store. Thread-safe. */
abstract class PassingStore implements TaskStore {

    private final TaskStore store;

    PassingStore(TaskStore store) {
        this.store = store;
    }

    @Override
    public CommitResult commit(Change change) {
        return store.commit(change);
    }

    @Override
    public final Lease join(String node, Instant now) {
        return store.join(node, now);
    }

    @Override
    public final void leave(Lease lease, Instant now) {
        store.leave(lease, now);
    }

    @Override
    public final List<Task> claim(Lease lease, int limit, Instant now) {
        return store.claim(lease, limit, now);
    }

    @Override
    public final Optional<Task> find(TaskId id) {
        return store.find(id);
    }

    @Override
    public final Optional<Task> findByKey(Owner owner, String keyValue) {
        return store.findByKey(owner, keyValue);
    }

    @Override
    public final List<Task> list(Owner owner, @Nullable TaskId before, int limit) {
        return store.list(owner, before, limit);
    }

    @Override
    public final List<Task> list(@Nullable TaskId before, int limit) {
        return store.list(before, limit);
    }

    @Override
    public final List<Task> routed(Owner owner, Route route, @Nullable TaskId after, int limit) {
        return store.routed(owner, route, after, limit);
    }

    @Override
    public final List<TaskEvent> history(TaskId id, long after, int limit) {
        return store.history(id, after, limit);
    }

    @Override
    public final boolean remove(TaskId id) {
        return store.remove(id);
    }

    @Override
    public final int sweep(Instant now, int limit) {
        return store.sweep(now, limit);
    }

    @Override
    public final RowStore rows() {
        return store.rows();
    }

    @Override
    public final void close() {
        store.close();
    }
}
