// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Passes each call on to another store: the base of stores that add something, such as a measurement. Thread-safe where
 * the other store is.
 */
public abstract class ForwardingStore implements TaskStore {

    private final TaskStore store;

    protected ForwardingStore(TaskStore store) {
        this.store = store;
    }

    /** Called before each call that only reads tasks; an exception ends the call. */
    protected void beforeRead() {}

    /** Called before each call that may write tasks; an exception ends the call. */
    protected void beforeWrite() {}

    /** Called after a join; an exception leaves the caller in doubt. */
    protected void afterJoin() {}

    /** Called after a claim that took tasks; an exception leaves the caller in doubt. */
    protected void afterClaim(List<Task> claimed) {}

    @Override
    public CommitResult commit(Change change) {
        beforeWrite();
        return store.commit(change);
    }

    @Override
    public Lease join(String node, Instant now) {
        beforeWrite();
        var lease = store.join(node, now);
        afterJoin();
        return lease;
    }

    @Override
    public void leave(Lease lease, Instant now) {
        beforeWrite();
        store.leave(lease, now);
    }

    @Override
    public List<Task> claim(Lease lease, int limit, Instant now) {
        beforeWrite();
        return confirmed(store.claim(lease, limit, now));
    }

    private List<Task> confirmed(List<Task> claimed) {
        if (!claimed.isEmpty()) {
            afterClaim(claimed);
        }
        return claimed;
    }

    @Override
    public Optional<Task> find(TaskId id) {
        beforeRead();
        return store.find(id);
    }

    @Override
    public Optional<Task> findByKey(Owner owner, String keyValue) {
        beforeRead();
        return store.findByKey(owner, keyValue);
    }

    @Override
    public ListedTasks list(TaskFilter filter, @Nullable TaskId before, int limit) {
        beforeRead();
        return store.list(filter, before, limit);
    }

    @Override
    public List<Task> routed(Owner owner, Route route, @Nullable TaskId after, int limit) {
        beforeRead();
        return store.routed(owner, route, after, limit);
    }

    @Override
    public List<TaskEvent> history(TaskId id, long after, int limit) {
        beforeRead();
        return store.history(id, after, limit);
    }

    @Override
    public boolean remove(TaskId id) {
        beforeWrite();
        return store.remove(id);
    }

    @Override
    public int sweep(Instant now, int limit) {
        beforeWrite();
        return store.sweep(now, limit);
    }

    @Override
    public Optional<SharedTasks> sharedTasks() {
        return store.sharedTasks().map(ForwardingTasks::new);
    }

    /** The row store of the other store: neither {@link #beforeRead} nor {@link #beforeWrite} is called for rows. */
    @Override
    public RowStore rows() {
        return store.rows();
    }

    @Override
    public void close() {
        store.close();
    }

    private final class ForwardingTasks implements SharedTasks {

        private final SharedTasks tasks;

        ForwardingTasks(SharedTasks tasks) {
            this.tasks = tasks;
        }

        @Override
        public Runnable listen(String node, Runnable woken) {
            return tasks.listen(node, woken);
        }

        @Override
        public Renewal renew(Lease lease) {
            beforeWrite();
            return tasks.renew(lease);
        }

        @Override
        public News news(Lease lease, int nodes, Wanted wanted) {
            beforeRead();
            return tasks.news(lease, nodes, wanted);
        }

        @Override
        public Lease joinAnew(Lease lost, Instant now) {
            beforeWrite();
            var lease = tasks.joinAnew(lost, now);
            afterJoin();
            return lease;
        }

        @Override
        public List<Task> claim(Lease lease, Wanted wanted, int limit, Instant now) {
            beforeWrite();
            return confirmed(tasks.claim(lease, wanted, limit, now));
        }

        @Override
        public Set<TaskId> held(Lease lease) {
            beforeRead();
            return tasks.held(lease);
        }

        @Override
        public boolean drain(String node, boolean isDraining) {
            beforeWrite();
            return tasks.drain(node, isDraining);
        }

        @Override
        public Map<TaskId, Long> versions(Lease lease, Set<TaskId> ids) {
            beforeRead();
            return tasks.versions(lease, ids);
        }

        @Override
        public OptionalLong version(TaskId id) {
            beforeRead();
            return tasks.version(id);
        }

        @Override
        public Map<Owner, List<Allotment.Claim>> live(Set<Owner> owners) {
            beforeRead();
            return tasks.live(owners);
        }

        @Override
        public Optional<Map<String, Allotment>> allot(Lease lease, List<Allotment.Want> wants) {
            beforeWrite();
            return tasks.allot(lease, wants);
        }
    }
}
