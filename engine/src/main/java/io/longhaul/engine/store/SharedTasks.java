// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What only a store can do that several nodes have at once, each with a name and a lease of its own. A lease holds for
 * some time by the clock of the store, and is renewed by its node. One that has lapsed writes nothing; its node can
 * still renew it until another node makes it void for good.
 *
 * <p>Thread-safe. Every method may throw {@link StoreException}, as those of {@link TaskStore}.
 */
public interface SharedTasks {

    /** What the lease of a node is worth. */
    enum Standing {
        /** It holds. */
        HELD,
        /** It holds, and its node is to begin nothing any more, and to give away what it has not begun. */
        DRAINING,
        /** Other nodes may have its tasks. It never holds again; its node may join anew. */
        VOID,
        /** Another process has joined under the name of its node, which must not come back. */
        REPLACED
    }

    /**
     * Which tasks a node claims.
     *
     * @param works     the names of the works that it offers
     * @param bound     those of them whose work goes on outside of the server that has begun it, where other nodes
     *                  cannot find it
     * @param lostAfter a node that has had no lease for so long does not come back
     */
    record Wanted(Set<String> works, Set<String> bound, Duration lostAfter) {}

    /**
     * Has {@code woken} run soon after others have written what concerns a node: one of its tasks, or one that it may
     * claim. It must not block. That is only a hint, which a store may never give: what was written is found by asking.
     *
     * @return ends it
     */
    default Runnable listen(String node, Runnable woken) {
        return () -> {};
    }

    /**
     * What a renewal comes to.
     *
     * @param nodes how many nodes have a lease that is not void, this one too
     */
    record Renewal(Standing standing, int nodes) {}

    /** Renews a lease that is not void. */
    Renewal renew(Lease lease);

    /**
     * Takes over up to {@code limit} tasks whose work has not ended, that are of one of these works, and that no node
     * has: theirs is no lease, or one that is void, or an older one of the same node. What a node had before it joined
     * anew is left to it by others for as long as a lease holds, and what has begun of bound works until its lease has
     * been void, or its node has been back, for {@code lostAfter}. The tenure of what is taken carries {@code lease}
     * afterwards, and its version is raised by one. The oldest task of each owner and each work comes first, then the
     * second of each, and so on; the answer has that order. Nothing is taken where {@code lease} does not hold.
     *
     * <p>Makes the lapsed leases of other nodes void, where {@code lease} itself has held without a gap for as long as
     * a lease holds: after the store was away for all, no node that comes back first takes the tasks of the others.
     */
    List<Task> claim(Lease lease, Wanted wanted, int limit, Instant now);

    /**
     * Has a node drained, or no longer: {@link #renew} tells it. It ends when the node joins anew.
     *
     * @return whether there is such a node, with a lease that is not void
     */
    boolean drain(String node, boolean isDraining);

    /**
     * The versions of tasks that other nodes may have changed: of those with one of {@code ids} that are there, and of
     * those of {@code lease} that were last written without its fence.
     */
    Map<TaskId, Long> versions(Lease lease, Set<TaskId> ids);

    /** The version of one task, whoever wrote it last; empty where there is no such task. */
    OptionalLong version(TaskId id);

    /**
     * Which nodes have tasks of these owners that have not ended: each holds and wants as many as it has, and its next
     * one is the oldest of them. Tasks of a void lease, or of none, are those of a node whose name is empty. An owner
     * without such tasks is left out.
     */
    Map<Owner, List<Allotment.Claim>> live(Set<Owner> owners);

    /**
     * Shares the slots of works out among nodes, as {@link Allotment#of} says, and keeps what {@code lease} holds from
     * now on. What a node holds whose lease is void counts no more.
     *
     * @return by work what the node has; empty where nothing has changed, since {@code lease} is void, or another node
     *         asks at this moment and this one is to ask again
     */
    Optional<Map<String, Allotment>> allot(Lease lease, List<Allotment.Want> wants);
}
