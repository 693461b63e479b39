// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.simulation;

import io.longhaul.engine.store.Allotment;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.SharedTasks;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The disk: what is really written is checked here, whether its writer learns of it or not. */
final class WatchedStore extends ForwardingStore {

    private final EngineWorld world;

    WatchedStore(EngineWorld world, TaskStore real) {
        super(real);
        this.world = world;
    }

    @Override
    public CommitResult commit(Change change) {
        var result = super.commit(change);
        if (result instanceof CommitResult.Committed) {
            committed(change);
        }
        return result;
    }

    private void committed(Change change) {
        var task = world.known(change.after().id());
        var fence = change.fence();
        var lease = change.after().execution().lease();
        task.require(
                fence == null
                        || !task.isStored()
                        || fence.equals(task.last().execution().lease()),
                "is written by a node that does not have it");
        task.committed(change);
        task.require(fence == null || world.holds(fence), "is written by a node without a lease");
        task.require(
                change.before() != null || lease == null || world.holds(lease),
                "is created for a node without a lease");
    }

    @Override
    public List<Task> claim(Lease lease, int limit, Instant now) {
        var claimed = super.claim(lease, limit, now);
        claimed.forEach(task -> world.known(task.id()).claimed(task));
        return claimed;
    }

    @Override
    public Optional<SharedTasks> sharedTasks() {
        return super.sharedTasks().map(Watched::new);
    }

    private final class Watched implements SharedTasks {

        private final SharedTasks real;

        Watched(SharedTasks real) {
            this.real = real;
        }

        @Override
        public Renewal renew(Lease lease) {
            return real.renew(lease);
        }

        @Override
        public News news(Lease lease, int nodes, Wanted wanted) {
            return real.news(lease, nodes, wanted);
        }

        @Override
        public Lease joinAnew(Lease lost, Instant now) {
            return real.joinAnew(lost, now);
        }

        @Override
        public boolean drain(String node, boolean isDraining) {
            return real.drain(node, isDraining);
        }

        @Override
        public List<Task> claim(Lease lease, Wanted wanted, int limit, Instant now) {
            var claimed = real.claim(lease, wanted, limit, now);
            for (var task : claimed) {
                var known = world.known(task.id());
                known.require(!world.holds(known.last().execution().lease()), "is taken from a node that has it");
                known.claimed(task);
            }
            return claimed;
        }

        @Override
        public Set<TaskId> held(Lease lease) {
            return real.held(lease);
        }

        @Override
        public Map<TaskId, Long> versions(Lease lease, Set<TaskId> ids) {
            return real.versions(lease, ids);
        }

        @Override
        public OptionalLong version(TaskId id) {
            return real.version(id);
        }

        @Override
        public Map<Owner, List<Allotment.Claim>> live(Set<Owner> owners) {
            return real.live(owners);
        }

        @Override
        public Optional<Map<String, Allotment>> allot(Lease lease, List<Allotment.Want> wants) {
            return real.allot(lease, wants);
        }
    }

    @Override
    public boolean remove(TaskId id) {
        boolean was = super.remove(id);
        if (was) {
            var task = world.known(id);
            boolean isExpired = task.isExpired(world.latest());
            task.require(task.isDeletionTried() || isExpired, "is removed too early");
            Families.removed(task);
            if (!isExpired) {
                Families.deleted(task, world.latest());
            }
            task.isRemoved = true;
        }
        return was;
    }

    @Override
    public int sweep(Instant now, int limit) {
        int swept = super.sweep(now, limit);
        world.require(!now.isAfter(world.latest()), "a node sweeps as if it were %s", now);
        for (var task : world.stored()) {
            if (find(task.id).isEmpty()) {
                task.require(task.isExpired(now), "is swept too early");
                Families.removed(task);
                task.isRemoved = true;
            }
        }
        return swept;
    }
}
