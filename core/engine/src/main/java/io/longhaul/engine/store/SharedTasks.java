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
 * The operations of a store that several nodes share, each with a name and a lease of its own. A lease holds for some
 * time by the clock of the store, and its node renews the lease. A lapsed lease permits no writes; its node can still
 * renew the lease until another node makes it void for good.
 *
 * <p>Thread-safe. Every method may throw {@link StoreException}, as those of {@link TaskStore}.
 */
public interface SharedTasks {

    /** The standing of a node's lease. */
    enum Standing {
        /** The lease holds. */
        HELD,
        /**
         * The lease holds, and its node is being drained: it must begin no task, and give away tasks that have not
         * begun.
         */
        DRAINING,
        /** The lease never holds again, and other nodes may have its tasks; its node may join anew. */
        VOID,
        /** Another process has joined under the name of the node: this node must not join again. */
        REPLACED
    }

    /**
     * Which tasks a node claims.
     *
     * @param works     the names of the works that the node offers
     * @param bound     the names of those works that go on outside of the server, where only the node that has begun a
     *                  job can find it
     * @param lostAfter after this time without a lease a node counts as lost
     */
    record Wanted(Set<String> works, Set<String> bound, Duration lostAfter) {}

    /**
     * Runs {@code woken} soon after other nodes have written what concerns a node: one of its tasks, or a task that it
     * may claim. {@code woken} must not block. This is only a hint, which a store may never give: a node must still
     * poll.
     *
     * @return ends the listening
     */
    default Runnable listen(String node, Runnable woken) {
        return () -> {};
    }

    /**
     * The result of a renewal.
     *
     * @param nodes how many nodes have a lease that is not void, this node included
     */
    record Renewal(Standing standing, int nodes) {}

    /**
     * Gives the node of a lost lease a new one, as {@link TaskStore#join}, except that the node stays drained if it
     * was. One write: an operator's word before it or after it is not lost.
     */
    Lease joinAnew(Lease lost, Instant now);

    /** Renews a lease that is not void. */
    Renewal renew(Lease lease);

    /** What the next poll of a node would find. */
    enum News {
        /** The lease of the node holds, and there is nothing to renew, to claim or to read again. */
        NONE,
        /** The lease is to be renewed, and there is nothing else. */
        RENEWAL,
        /** Anything else, also where the store does not know. */
        ANY
    }

    /**
     * What a poll would find, by one cheap read: what an idle node costs does not depend on how many tasks wait, be it
     * for a node that offers their works.
     *
     * @param lease  a lease that held, and whose node was not drained
     * @param nodes  the number of nodes that the last renewal told
     * @param wanted the tasks that the poll would claim
     */
    default News news(Lease lease, int nodes, Wanted wanted) {
        return News.ANY;
    }

    /**
     * Takes over up to {@code limit} tasks of these works whose work has not ended and that no node has: tasks without
     * a lease, with a void lease, or with an older lease of the same node. Other nodes leave the tasks that a node had
     * before it joined anew to that node for as long as a lease holds. They leave begun tasks of bound works to it
     * until its lease has been void, or the node has been back, for {@code lostAfter}. The execution of a claimed task
     * has {@code lease} afterwards, and its version is raised by one. The oldest task of each owner and each work comes
     * first, then the second of each, and so on; the answer has that order. Nothing is taken where {@code lease} does
     * not hold.
     *
     * <p>Makes the lapsed leases of other nodes void where {@code lease} itself has held without a gap for as long as a
     * lease holds. So the first node that returns after an outage of the store does not take the tasks of the others.
     */
    List<Task> claim(Lease lease, Wanted wanted, int limit, Instant now);

    /**
     * The tasks of {@code lease} whose work has not ended. A node whose claim was not confirmed finds out what that
     * claim took.
     */
    Set<TaskId> held(Lease lease);

    /**
     * Starts or ends the draining of a node; {@link #renew} tells the node. Draining also ends when a process
     * starts under the name of the node.
     *
     * @return whether there is such a node, with a lease that is not void
     */
    boolean drain(String node, boolean isDraining);

    /**
     * The versions of tasks that other nodes may have changed: the tasks with {@code ids} that exist, and the tasks of
     * {@code lease} that were last written without its fence.
     */
    Map<TaskId, Long> versions(Lease lease, Set<TaskId> ids);

    /** The latest version of one task, written by any node; empty where there is no such task. */
    OptionalLong version(TaskId id);

    /**
     * The claims of nodes on the live tasks of these owners. A claim holds and wants as many tasks as the node has, and
     * its next task is the oldest of them. Tasks of a void lease, or of none, count for a node with an empty name. An
     * owner without live tasks is left out.
     */
    Map<Owner, List<Allotment.Claim>> live(Set<Owner> owners);

    /**
     * Distributes the slots of works among nodes, as {@link Allotment#of} says, and stores what {@code lease} holds
     * from now on. Slots of a node whose lease is void are free.
     *
     * @return the allotment of the node by work; empty where nothing has changed: {@code lease} is void, or another
     *         node asks at this moment and the caller must ask again
     */
    Optional<Map<String, Allotment>> allot(Lease lease, List<Allotment.Want> wants);
}
