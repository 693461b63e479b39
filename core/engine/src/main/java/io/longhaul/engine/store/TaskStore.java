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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Durable tasks. Implementations are thread-safe, and have neither clock nor callbacks: time comes in as a value, and
 * watchers read committed changes by cursor.
 *
 * <p>Every method may throw {@link StoreException} when the storage itself fails; then nothing is known to be
 * committed.
 */
public interface TaskStore extends AutoCloseable {

    /**
     * A page of a history ends with the event that brings the page to this many bytes, so that no reader fills the
     * heap.
     */
    int PAGE_BYTES = 256 * 1024;

    /**
     * Gives {@code node} a lease to run tasks. An embedded store has one holder at a time: joining raises its epoch,
     * and makes every older lease void. In a store that is {@link #sharedTasks() shared}, joining makes only older
     * leases of the same node void.
     */
    Lease join(String node, Instant now);

    /**
     * Hands {@code lease} back: the next node can claim its live tasks at once. One write at most, whatever the number
     * of tasks.
     */
    void leave(Lease lease, Instant now);

    /**
     * Takes over up to {@code limit} tasks whose work has not ended and whose lease is void. Their execution has
     * {@code lease} afterwards, and their version is raised by one. Call this method until it returns an empty list.
     */
    List<Task> claim(Lease lease, int limit, Instant now);

    /**
     * Writes one change atomically; the change is durable when the method returns {@link CommitResult.Committed}.
     * Concurrent calls may share one transaction. Blocks.
     */
    CommitResult commit(Change change);

    /** The latest snapshot of a task of any owner; empty for a removed task. */
    Optional<Task> find(TaskId id);

    /** The task that {@code owner} has created with the key of this value; the key of a removed task is free again. */
    Optional<Task> findByKey(Owner owner, String keyValue);

    /**
     * Tasks that match {@code filter}, newest first, after {@code before} (exclusive) where given. The cost of a page
     * does not grow with the number of tasks that do not match: where no index finds the matching tasks, a page ends
     * after a fixed number of tasks that were looked at, and names the task after which the next page begins.
     */
    ListedTasks list(TaskFilter filter, @Nullable TaskId before, int limit);

    /**
     * Tasks of {@code owner} that {@code route} finds, in the order of their ids, after {@code after} (exclusive) where
     * given.
     */
    List<Task> routed(Owner owner, Route route, @Nullable TaskId after, int limit);

    /**
     * Events of a task with a sequence number greater than {@code after}, oldest first; empty for an unknown task. A
     * page has fewer than {@code limit} events where events are large, see {@link #PAGE_BYTES}: a reader goes on after
     * the last event until a page is empty.
     */
    List<TaskEvent> history(TaskId id, long after, int limit);

    /**
     * Removes a finished task whose work has ended, with its history and its
     * {@link WrittenOutput}, whatever its retention; the removal is durable
     * when the method returns.
     *
     * @return false where there is no such task, or its work has not ended
     */
    boolean remove(TaskId id);

    /**
     * Removes up to {@code limit} finished tasks whose retention is over and whose work has ended, with their
     * history.
     */
    int sweep(Instant now, int limit);

    /** The operations for several nodes at once; empty for a store that one node has at a time. */
    default Optional<SharedTasks> sharedTasks() {
        return Optional.empty();
    }

    /** Small durable rows beside the tasks, in the same storage. */
    RowStore rows();

    /** Releases files and connections. Later calls fail with {@link StoreException}. */
    @Override
    void close();
}
