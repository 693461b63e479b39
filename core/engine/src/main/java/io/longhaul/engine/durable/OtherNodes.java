// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.store.Allotment.Claim;
import io.longhaul.engine.store.SharedTasks;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Owner;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/** The additional collaborators of an engine that shares its store with other nodes. */
record OtherNodes(SharedTasks tasks, Looks looks, WatchedTasks watched, LostRuns lost, List<ReentrantLock> creating) {

    private static final int LOCKS = 64;

    OtherNodes(SharedTasks tasks) {
        this(tasks, new Looks());
    }

    private OtherNodes(SharedTasks tasks, Looks looks) {
        this(
                tasks,
                looks,
                new WatchedTasks(looks),
                new LostRuns(),
                Stream.generate(ReentrantLock::new).limit(LOCKS).toList());
    }

    /** The number of live tasks of an owner at other nodes than that of {@code lease}. */
    int liveElsewhere(Owner owner, Lease lease) {
        return tasks.live(Set.of(owner)).getOrDefault(owner, List.of()).stream()
                .filter(claim -> !claim.node().equals(lease.node()))
                .mapToInt(Claim::held)
                .sum();
    }

    /** The lock for the creation of a task that may exceed the limit of a share over all nodes. */
    ReentrantLock creating(String share) {
        return creating.get(Math.floorMod(share.hashCode(), LOCKS));
    }
}
