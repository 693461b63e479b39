// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.simulation;

import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.TaskState;
import java.util.HashMap;
import java.util.function.Predicate;

/**
 * What each owner is promised: no more of its tasks are live than allowed, no more of those have begun than may at
 * once, the first that waits is the first to begin, and neither a turn nor a place is lost. A child has its turn at
 * once.
 */
final class OwnerTurns {

    private final EngineWorld world;

    OwnerTurns(EngineWorld world) {
        this.world = world;
    }

    private int most() {
        return world.limits.livePerOwner() + world.limits.queuedPerOwner();
    }

    /**
     * Holds at any time. Of several nodes each lets in its part without a look at others, which may know of fewer nodes
     * for a second, and one task at once beyond that.
     */
    void checkLimit() {
        int most = world.isShared() ? 2 * most() + EngineSteps.MOST_NODES - 1 : most();
        var live = new HashMap<Owner, Integer>();
        for (var task : world.stored()) {
            if (task.isLive()) {
                int count = live.merge(task.last().owner(), 1, Integer::sum);
                task.require(count <= most, "is one too many of its owner");
            }
        }
    }

    /** Where it is the turn of a task that begins, it is that of all which stood before it, too. */
    void begun(KnownTask task) {
        if (world.isShared() || task.parent() != null) {
            return;
        }
        var owner = task.last().owner();
        long turns = world.stored().stream()
                .filter(other -> other.isLive() && other.isOf(owner) && other.parent() == null)
                .filter(other -> hasBegun(other) || standsBefore(other, task))
                .count();
        task.require(turns <= world.limits.livePerOwner(), "begins, and %d others come first", turns - 1);
    }

    /** Whether all turns may be those of others: of tasks that have begun, or do not certainly stand behind it. */
    boolean isWaiting(KnownTask task) {
        // A node may have claimed another one earlier, which goes first there.
        Predicate<KnownTask> goesFirst =
                other -> other != task && (world.isShared() || hasTurn(other) || !standsBefore(task, other));
        return !hasTurn(task) && mayBeLive(task.last().owner(), goesFirst) >= world.limits.livePerOwner();
    }

    /** An owner is told that it has too many live tasks while {@code creating} other ones are being created. */
    void refused(Owner owner, int creating) {
        long live = mayBeLive(owner, task -> true) + creating;
        world.require(live >= most(), "%s has %d live tasks, and may create no more", owner, live);
    }

    /** How many live tasks an owner may have in the memory of a node: a failure is found out about later. */
    private long mayBeLive(Owner owner, Predicate<KnownTask> which) {
        var now = world.time.now();
        return world.all().stream()
                .filter(task -> task.isOf(owner))
                .filter(task ->
                        task.isTroubled(now, EngineWorld.RETRY) || task.isNews() || task.isLive() && which.test(task))
                .count();
    }

    /** Whether it certainly goes first: it was there first, and is no less urgent. */
    private boolean standsBefore(KnownTask task, KnownTask other) {
        return priority(task) >= priority(other) && task.standsBefore(other);
    }

    private int priority(KnownTask task) {
        return world.priority(task.last().spec().work());
    }

    private static boolean hasTurn(KnownTask task) {
        return hasBegun(task) || task.parent() != null;
    }

    private static boolean hasBegun(KnownTask task) {
        return task.last().state() != TaskState.SUBMITTED;
    }
}
