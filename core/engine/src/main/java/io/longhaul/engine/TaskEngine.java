// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.ListedTasks;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.SharedTasks.Standing;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Source;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Creates durable tasks, runs their work, and never loses a task. Thread-safe. A method that takes an owner treats a
 * task of another owner as a task that does not exist. Every method may throw
 * {@link io.longhaul.engine.store.StoreException}: then it is not known whether anything was written.
 * {@code DurableEngine.builder()} makes an engine.
 */
public interface TaskEngine extends AutoCloseable {

    /**
     * What a creation asks for.
     *
     * @param creationKey makes the creation safe to repeat; null for none
     * @param retention   the engine does not limit it: a retention that a caller asks for goes through
     *                    {@link TaskLimits#held} first; null for the default
     */
    record Creation(
            Owner owner,
            String work,
            Payload request,
            Source source,
            @Nullable CreationKey creationKey,
            @Nullable Retention retention) {

        /** A task without a route. */
        public Creation(
                Owner owner,
                String work,
                Payload request,
                Payload origin,
                @Nullable CreationKey creationKey,
                @Nullable Retention retention) {
            this(owner, work, request, new Source(origin, null), creationKey, retention);
        }
    }

    /** The result of a creation. */
    sealed interface Created {
        /** The task is durable, and is given as it was created. Its work was started where a slot was free. */
        record New(Task task) implements Created {}

        /**
         * The same key with the same digest was used before: {@code task} is the task of that creation, in its present
         * state.
         */
        record Same(Task task) implements Created {}

        /** The key was used before with another digest. */
        record KeyConflict() implements Created {}

        /** The owner has as many live tasks as allowed. */
        record TooManyLive(int limit) implements Created {}
    }

    /** The result of a cancel. */
    sealed interface Cancelled {
        /** The task is durably cancelled; its work is being stopped. */
        record Done(Task task) implements Cancelled {}

        /** The task had ended before, and stays as it was. */
        record AlreadyEnded(Task task) implements Cancelled {}

        record NotFound() implements Cancelled {}
    }

    /** The result of answering questions. */
    sealed interface Answered {
        /** The answers to outstanding questions are durable; others were ignored. */
        record Done(Task task) implements Answered {}

        record NotFound() implements Answered {}
    }

    /** The result of setting another retention. */
    sealed interface Retained {
        /** The new retention is durable; the version of the task is raised by one. */
        record Done(Task task) implements Retained {}

        record NotFound() implements Retained {}
    }

    /** The result of a delete. */
    sealed interface Deleted {
        /** The task is removed durably, with its history and its outcome; its creation key is free again. */
        record Done() implements Deleted {}

        /**
         * The task stays: it is live, its work or that of a child is still being stopped, or a live parent keeps it.
         */
        record StillLive(Task task) implements Deleted {}

        record NotFound() implements Deleted {}
    }

    /**
     * Registers work while the engine runs, in place of other work of that name. Runs that have begun go on unchanged;
     * later runs use the new work. Tasks of this work that an earlier process left unfinished are taken up now.
     */
    void offer(Work work);

    /** Creates a task that counts against its owner's share of live tasks. */
    default Created create(Creation creation) {
        return create(creation, creation.owner().value());
    }

    /**
     * Creates a task.
     *
     * @param share the group of live tasks that the task counts with, where that is not its owner; after a restart
     *              {@code EngineBuilder.shares} gives it
     */
    Created create(Creation creation, String share);

    /**
     * Creates a task that goes on where {@code ended} has ended, with the same request: it takes over the done steps,
     * the answers and the pieces of output. A call of a child is taken over where the child has a result.
     */
    Created resume(Creation creation, String share, Task ended);

    /** The present state of a task; a live task is found without touching a store that only this node uses. */
    default Optional<Task> find(Owner owner, TaskId id) {
        return find(id).filter(task -> task.owner().equals(owner));
    }

    /** The present state of a task of any owner: for operators. */
    Optional<Task> find(TaskId id);

    /**
     * The task that {@code owner} has created with {@link CreationKey#value()} {@code creationKey}, in its present
     * state. The store is read, also for a live task.
     */
    Optional<Task> find(Owner owner, String creationKey);

    /**
     * Tasks that {@code filter} takes, newest first, after {@code before} (exclusive) where given, as
     * {@link io.longhaul.engine.store.TaskStore#list} finds them.
     */
    ListedTasks list(TaskFilter filter, @Nullable TaskId before, int limit);

    /**
     * Tasks of {@code owner} that {@code route} finds, in the order of their creation, after {@code after} (exclusive)
     * where given. The cost depends on the tasks in the group of the route, not on the owner's other tasks.
     */
    List<Task> routed(Owner owner, Route route, @Nullable TaskId after, int limit);

    /** Answers outstanding questions; keys that are not outstanding are ignored. */
    Answered answer(Owner owner, TaskId id, Map<String, Payload> answers);

    Cancelled cancel(Owner owner, TaskId id, @Nullable String reason);

    /**
     * Adds a line to the log of a live task, beside the lines of its work.
     *
     * @return whether the line is durable; false where the task does not run
     */
    boolean log(Owner owner, TaskId id, EventDetail.Logged line);

    /**
     * Sets the retention of a task in any state, also of a task that has ended. Of several concurrent calls the last
     * one wins. The engine does not limit the retention, as with that of a creation.
     *
     * <p>With {@link Retention#fromLeaving} the task is kept until the next call of this method. The component that
     * joins a task must see to it that this call comes, also where its process dies before the call.
     */
    Retained retain(Owner owner, TaskId id, Retention retention);

    /** Removes a task that has ended and whose work has ended, at once and whatever its retention. */
    Deleted delete(Owner owner, TaskId id);

    /**
     * Events after {@code after}, oldest first; empty for an unknown task. A page has fewer than {@code limit} events
     * where events are large, and is empty only behind the last event.
     */
    List<TaskEvent> history(Owner owner, TaskId id, long after, int limit);

    /**
     * Blocks until the task has a version greater than {@code version} or {@code deadline} passes, and gives the task
     * as it is then; at once where the work of the task has ended. Many threads may wait for one task.
     *
     * @return empty where the owner has no such task
     */
    Optional<Task> awaitChange(Owner owner, TaskId id, long version, Instant deadline) throws InterruptedException;

    /**
     * Notifies a watcher of each change of a task from now on, until the task's work has ended.
     *
     * @return empty where the owner has no such task
     */
    Optional<Watched> watch(Owner owner, TaskId id, TaskWatcher watcher);

    /**
     * A task that is watched.
     *
     * @param now  the present state; the watcher is notified of all later changes, and perhaps of this one
     * @param stop ends the watch
     */
    record Watched(Task now, Runnable stop) {}

    /** Rows that must outlive the process beside the tasks, in the same storage. */
    RowStore rows();

    TaskTime time();

    /**
     * When this engine began to take tasks over. Tasks that have ended since then were ended by this engine, also where
     * the crash policy ended a task whose server died.
     */
    Instant startedAt();

    TaskLimits limits();

    /**
     * Changes the limits of tasks while the engine runs, but for {@link TaskLimits#queuedPerOwner}, the retentions and
     * {@link TaskLimits#offerGrace}, which stay as they were at the start. What has begun goes on, and is counted.
     */
    void limits(TaskLimits limits);

    /**
     * Counts of live tasks, queues and slots at this moment. A call looks at each live task: make one every few seconds
     * at most.
     */
    TaskStatistics statistics();

    /**
     * The standing of this node's lease, as the store reported it last; {@link Standing#HELD} where no other node
     * shares the store.
     */
    default Standing standing() {
        return Standing.HELD;
    }

    /**
     * Begins to stop the engine: no new work is started, and running work is asked to stop. {@link #close(Duration)}
     * must follow.
     */
    void beginClose();

    /** As {@link #close(Duration)}, with the hand-back grace of the limits. */
    @Override
    default void close() {
        close(limits().handBackGrace());
    }

    /**
     * Stops the engine: no new work is started, running work is asked to stop, and the lease is handed back. Returns
     * within the grace and half a second. Where several nodes share the store, other nodes continue the
     * tasks. Tasks with work outside of the server first wait for this node to start again, for
     * {@link TaskLimits#nodeLostAfter}.
     *
     * @param grace how long running work may go on to end by itself
     */
    void close(Duration grace);
}
