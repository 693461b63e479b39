package io.longhaul.testkit.engine;

import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.HandleStore;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A store whose commits fail when a test says so: before anything is written, or after it was. */
final class FaultyStore implements TaskStore {

    /** What happens to one commit. */
    enum Fault {
        NONE,
        LOST,
        WRITTEN_BUT_NOT_SAID
    }

    /** Decides for each commit. Called on many threads. */
    interface Faults {
        Fault of(Change change);
    }

    private final TaskStore store;
    private final Faults faults;

    FaultyStore(TaskStore store, Faults faults) {
        this.store = store;
        this.faults = faults;
    }

    @Override
    public CommitResult commit(Change change) {
        var fault = faults.of(change);
        if (fault == Fault.LOST) {
            throw new StoreException("lost on purpose");
        }
        var result = store.commit(change);
        if (fault == Fault.WRITTEN_BUT_NOT_SAID) {
            throw new StoreException("written, but not said, on purpose");
        }
        return result;
    }

    @Override
    public Lease join(String node, Instant now) {
        return store.join(node, now);
    }

    @Override
    public void leave(Lease lease, Instant now) {
        store.leave(lease, now);
    }

    @Override
    public List<Task> claim(Lease lease, int limit, Instant now) {
        return store.claim(lease, limit, now);
    }

    @Override
    public Optional<Task> find(TaskId id) {
        return store.find(id);
    }

    @Override
    public List<Task> list(Owner owner, @Nullable TaskId before, int limit) {
        return store.list(owner, before, limit);
    }

    @Override
    public int countLive(Owner owner) {
        return store.countLive(owner);
    }

    @Override
    public List<TaskEvent> history(TaskId id, long after, int limit) {
        return store.history(id, after, limit);
    }

    @Override
    public int sweep(Instant now, int limit) {
        return store.sweep(now, limit);
    }

    @Override
    public HandleStore handles() {
        return store.handles();
    }

    @Override
    public void close() {
        store.close();
    }
}
