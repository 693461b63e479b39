// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine;

import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.SharedTasks.Standing;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.ListedTasks;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Source;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskFilter;
import io.longhaul.engine.task.TaskId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Durable tasks: creates them, runs their work, and never loses one. Thread-safe; every method that asks for an owner
 * treats a task of another owner as one that does not exist. Every method may throw
 * {@link io.longhaul.engine.store.StoreException}: then it is not known whether anything was written. One is made by
 * {@code DurableEngine.builder()}.
 */
public interface TaskEngine extends AutoCloseable {

    /**
     * What a creation asks for.
     *
     * @param creationKey makes the creation safe to repeat; null for none
     * @param retention   kept to the letter, so that what a caller asks for goes through
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

    /** What became of a creation. */
    sealed interface Created {
        /** The task, as it was created, is durable; its work was started where a slot was free. */
        record New(Task task) implements Created {}

        /** The same key with the same digest was used before: this is that task as it stands now. */
        record Same(Task task) implements Created {}

        /** The key was used before for something else. */
        record KeyConflict() implements Created {}

        /** The owner has as many live tasks as allowed. */
        record TooManyLive(int limit) implements Created {}
    }

    /** What became of a cancel. */
    sealed interface Cancelled {
        /** The task is durably cancelled; its work is being stopped. */
        record Done(Task task) implements Cancelled {}

        /** It had ended before, and stays as it was. */
        record AlreadyEnded(Task task) implements Cancelled {}

        record NotFound() implements Cancelled {}
    }

    /** What became of answers. */
    sealed interface Answered {
        /** The answers to outstanding questions are durable; others were ignored. */
        record Done(Task task) implements Answered {}

        record NotFound() implements Answered {}
    }

    /** What became of another retention. */
    sealed interface Retained {
        /** The task is durably kept for that; it is one version further. */
        record Done(Task task) implements Retained {}

        record NotFound() implements Retained {}
    }

    /** What became of a delete. */
    sealed interface Deleted {
        /** The task is durably gone, with its history and its outcome; its creation key is free again. */
        record Done() implements Deleted {}

        /** It is live, or has ended while its work is still being stopped; it stays as it was. */
        record StillLive(Task task) implements Deleted {}

        record NotFound() implements Deleted {}
    }

    /**
     * Registers work while the engine runs, in place of other work of that name: runs that have begun go on as they
     * are, all later ones are its own. Tasks that the last process has left of it are taken up now.
     */
    void offer(Work work);

    /** Creates a task that counts against its owner's share of live tasks. */
    default Created create(Creation creation) {
        return create(creation, creation.owner().value());
    }

    /**
     * Creates a task.
     *
     * @param share whose live tasks it is counted with, where its owner stands for callers that are unknown;
     *              after a restart it counts with those of its owner
     */
    Created create(Creation creation, String share);

    /** The task as it stands; for a live one without touching the store. */
    Optional<Task> find(Owner owner, TaskId id);

    /** Likewise, whoever its owner is: for operators. */
    Optional<Task> find(TaskId id);

    /**
     * The task that {@code owner} has created with {@link CreationKey#value()} {@code creationKey}, as it stands. The
     * store is read, also for a live task.
     */
    Optional<Task> find(Owner owner, String creationKey);

    /**
     * Tasks that {@code filter} takes, newest first, after {@code before} (exclusive) where given, as
     * {@link io.longhaul.engine.store.TaskStore#list} finds them.
     */
    ListedTasks list(TaskFilter filter, @Nullable TaskId before, int limit);

    /**
     * Tasks of {@code owner} that {@code route} finds, in the order of their creation, after {@code after} (exclusive)
     * where given. It costs what the group of the route has, whatever the owner has beside that.
     */
    List<Task> routed(Owner owner, Route route, @Nullable TaskId after, int limit);

    /** Answers outstanding questions; keys that are not outstanding are ignored. */
    Answered answer(Owner owner, TaskId id, Map<String, Payload> answers);

    Cancelled cancel(Owner owner, TaskId id, @Nullable String reason);

    /**
     * Keeps a task of any state, also one that has ended, for another time than before. Of several at once the last
     * one stays. It is kept to the letter, as that of a creation is.
     *
     * <p>With {@link Retention#fromLeaving} it is kept until the next call of this: whoever joins a task sees to
     * it that this call comes, also where that one's process has died before it could make it.
     */
    Retained retain(Owner owner, TaskId id, Retention retention);

    /** Removes a task that has ended, and whose work has, at once and whatever its retention. */
    Deleted delete(Owner owner, TaskId id);

    /**
     * Events after {@code after}, oldest first; empty for an unknown task. A page has fewer than {@code limit} of them
     * where they are large, and is empty only behind the last one.
     */
    List<TaskEvent> history(Owner owner, TaskId id, long after, int limit);

    /**
     * Blocks until the task has a version greater than {@code version}, and gives it; the task as it is when
     * {@code deadline} passes first. Many may wait for one task.
     *
     * @return empty where the owner has no such task
     */
    Optional<Task> awaitChange(Owner owner, TaskId id, long version, Instant deadline) throws InterruptedException;

    /**
     * Has a watcher told of each change of a task from now on, for as long as the task's work has not ended.
     *
     * @return empty where the owner has no such task
     */
    Optional<Watched> watch(Owner owner, TaskId id, TaskWatcher watcher);

    /**
     * A task that is watched.
     *
     * @param now  as it stands; the watcher is told of all later changes, and perhaps of this one
     * @param stop ends the watch
     */
    record Watched(Task now, Runnable stop) {}

    /** When the task will be gone, or null while that cannot be known: it runs, or a session has joined it. */
    @Nullable
    Instant expiry(Task task);

    /** Rows that must outlive the process beside the tasks, in the same storage. */
    RowStore rows();

    TaskTime time();

    /**
     * When this engine began to take tasks over: what has ended since then was ended by this engine, also by deciding
     * what becomes of a task whose server died.
     */
    Instant startedAt();

    TaskLimits limits();

    /** What there is to do at this moment. It looks at each live task, and is for a reading every few seconds. */
    TaskStatistics statistics();

    /** What the lease of this node is worth, as the store said last. It is held where no other node has the store. */
    default Standing standing() {
        return Standing.HELD;
    }

    /**
     * Stops: no new work is started, running work is asked to stop, and the lease is handed back. Returns within the
     * hand-back grace and half a second. Where several nodes have the store others go on, but for work outside of
     * the server: that waits for this node to start again, for {@link TaskLimits#nodeLostAfter}.
     */
    @Override
    void close();
}
