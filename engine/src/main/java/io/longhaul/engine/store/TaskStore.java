// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.ListedTasks;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskFilter;
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

    /** A page of a history ends with the event that brings it to this many bytes, so that no reader fills the heap. */
    int PAGE_BYTES = 256 * 1024;

    /**
     * Takes the right to run tasks on behalf of {@code node}. An embedded store has one holder at a time, so its epoch
     * is raised and every older lease is void from here on. In a store that is {@link #sharedTasks() shared} these are
     * the older leases of the node of that name.
     */
    Lease join(String node, Instant now);

    /**
     * Hands {@code lease} back: its live tasks can be claimed at once by the next node. No more than one write,
     * whatever the number of tasks.
     */
    void leave(Lease lease, Instant now);

    /**
     * Takes over up to {@code limit} tasks whose work has not ended and whose lease is void: their tenure carries
     * {@code lease} afterwards, their version is raised by one. Call it until it returns an empty list.
     */
    List<Task> claim(Lease lease, int limit, Instant now);

    /**
     * Writes one change atomically; it is durable when this returns {@link CommitResult.Committed}. Concurrent calls
     * may share one transaction. Blocks.
     */
    CommitResult commit(Change change);

    /** The latest snapshot, of any owner; removed tasks are gone. */
    Optional<Task> find(TaskId id);

    /** The task that {@code owner} has created with the key of this value; a removed one is gone, and its key free. */
    Optional<Task> findByKey(Owner owner, String keyValue);

    /**
     * Tasks that {@code filter} takes, newest first, after {@code before} (exclusive) where given. What a page costs
     * does not grow with the number of tasks that the filter does not take: where no index finds the others, a page
     * ends after so many tasks that were looked at, and names the task behind which the next one goes on.
     */
    ListedTasks list(TaskFilter filter, @Nullable TaskId before, int limit);

    /**
     * Tasks of {@code owner} that {@code route} finds, in the order of their ids, after {@code after} (exclusive) where
     * given.
     */
    List<Task> routed(Owner owner, Route route, @Nullable TaskId after, int limit);

    /**
     * Events of a task with a sequence number greater than {@code after}, oldest first; empty for an unknown task.
     * There are fewer than {@code limit} where they are large, as {@link #PAGE_BYTES} says: a reader goes on behind
     * the last one until a page is empty.
     */
    List<TaskEvent> history(TaskId id, long after, int limit);

    /**
     * Removes a finished task whose work has ended, with its history, whatever its retention; durable when this
     * returns.
     *
     * @return false where there is no such task, or it has not come to that end
     */
    boolean remove(TaskId id);

    /**
     * Removes up to {@code limit} finished tasks whose retention is over and whose work has ended, with their
     * history.
     */
    int sweep(Instant now, int limit);

    /** What it can do for several nodes at once; empty for a store that one node has at a time. */
    default Optional<SharedTasks> sharedTasks() {
        return Optional.empty();
    }

    /** Small durable rows beside the tasks, in the same storage. */
    RowStore rows();

    /** Releases files and connections. Calls after it fail with {@link StoreException}. */
    @Override
    void close();
}
