// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.node;

import io.longhaul.engine.slot.LostRuns;
import io.longhaul.engine.store.Allotment.Claim;
import io.longhaul.engine.store.SharedTasks;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.watch.EarlyPoll;
import io.longhaul.engine.watch.WatchedTasks;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The additional collaborators of an engine that shares its store with other nodes.
 *
 * @param runs the works that this node runs, by their names; it leaves the tasks of others to other nodes
 */
public record OtherNodes(
        SharedTasks tasks,
        Predicate<String> runs,
        EarlyPoll earlyPoll,
        WatchedTasks watched,
        LostRuns lost,
        List<ReentrantLock> creating) {

    private static final int LOCKS = 64;

    public OtherNodes(SharedTasks tasks, Predicate<String> runs) {
        this(tasks, runs, new EarlyPoll());
    }

    private OtherNodes(SharedTasks tasks, Predicate<String> runs, EarlyPoll earlyPoll) {
        this(
                tasks,
                runs,
                earlyPoll,
                new WatchedTasks(earlyPoll),
                new LostRuns(),
                Stream.generate(ReentrantLock::new).limit(LOCKS).toList());
    }

    /** The number of live tasks of an owner at other nodes than that of {@code lease}. */
    public int liveElsewhere(Owner owner, Lease lease) {
        return tasks.live(Set.of(owner)).getOrDefault(owner, List.of()).stream()
                .filter(claim -> !claim.node().equals(lease.node()))
                .mapToInt(Claim::held)
                .sum();
    }

    /** The lock for the creation of a task that may exceed the limit of a share over all nodes. */
    public ReentrantLock creating(String share) {
        return creating.get(Math.floorMod(share.hashCode(), LOCKS));
    }
}
