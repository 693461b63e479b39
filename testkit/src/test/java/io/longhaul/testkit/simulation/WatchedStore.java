// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit.simulation;

import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.PassingStore;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import java.time.Instant;
import java.util.List;

/** The disk: what is really written is checked here, whether its writer learns of it or not. */
final class WatchedStore extends PassingStore {

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
        task.committed(change);
        var fence = change.fence();
        var lease = change.after().tenure().lease();
        task.require(fence == null || fence.equals(world.holder), "is written by a node without a lease");
        task.require(
                change.before() != null || lease == null || lease.equals(world.holder),
                "is created for a node without a lease");
    }

    @Override
    public List<Task> claim(Lease lease, int limit, Instant now) {
        var claimed = super.claim(lease, limit, now);
        claimed.forEach(task -> world.known(task.id()).claimed(task));
        return claimed;
    }

    @Override
    public boolean remove(TaskId id) {
        boolean was = super.remove(id);
        if (was) {
            var task = world.known(id);
            task.require(task.isDeletionTried || task.isExpired(world.latest()), "is removed too early");
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
                task.isRemoved = true;
            }
        }
        return swept;
    }
}
