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

/** What an engine needs that has its store together with others. */
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

    /** How many tasks of an owner have not ended that are not of this lease. */
    int liveElsewhere(Owner owner, Lease lease) {
        return tasks.live(Set.of(owner)).getOrDefault(owner, List.of()).stream()
                .filter(claim -> !claim.node().equals(lease.node()))
                .mapToInt(Claim::held)
                .sum();
    }

    /** Held where a task of a share is created that may be one too many over all nodes. */
    ReentrantLock creating(String share) {
        return creating.get(Math.floorMod(share.hashCode(), LOCKS));
    }
}
