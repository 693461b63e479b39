// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.TaskEngine.Cancelled;
import io.longhaul.engine.TaskEngine.Deleted;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.ListedTasks;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.receiver.observe.Rule;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Operations on the tasks of a server, for the pages and jobs of its application: on the tasks of all owners
 * ({@link McpServer#tasks()}), or of one owner, where tasks of other owners do not exist
 * ({@link McpServer#tasks(io.longhaul.engine.task.Owner)}). The application itself must check what its users may do:
 * these methods check neither scopes nor rates, and run no interceptors. Thread-safe.
 *
 * <p>Every method may throw {@link io.longhaul.engine.store.StoreException}: then it is not known whether anything was
 * written.
 *
 * <pre>{@code
 * var tasks = server.tasks(new Owner(user));
 * var waiting = tasks.list(TaskFilter.ALL.in(TaskState.INPUT_REQUIRED), null, 50);
 * try (var watch = tasks.watch(id, 0).orElseThrow()) {
 *     for (var change = watch.next(); change.isPresent(); change = watch.next()) {
 *         page.show(change.get().task(), change.get().events());
 *     }
 * }
 * }</pre>
 */
public interface ServerTasks {

    /** The result of starting a task. */
    sealed interface Started {
        /** The task is durable, and runs as soon as a slot is free. */
        record New(Task task) implements Started {}

        /** The task was started under its key before. */
        record Same(Task task) implements Started {}

        /**
         * No task was started.
         *
         * @param rule    the reason, as observers get it
         * @param problem a sentence for the user
         */
        record Refused(Rule rule, String problem) implements Started {}

        /** The owner has no task of that id that could be called again. */
        record NotFound() implements Started {}
    }

    /** The result of answering a question. */
    sealed interface Answered {
        /** The answer is durable. */
        record Done(Task task) implements Answered {}

        /**
         * The answer does not match the question; the question stays open.
         *
         * @param problem a sentence for the user that names the field
         */
        record Refused(String problem) implements Answered {}

        /** There is no such task, or the task has no open question under this key. */
        record NotFound() implements Answered {}
    }

    /**
     * Tasks that match {@code filter}, newest first, after {@code before} (exclusive) where given; the page names the
     * beginning of the next page. The owner of the filter counts only among the tasks of all owners.
     */
    ListedTasks list(TaskFilter filter, @Nullable TaskId before, int limit);

    Optional<Task> find(TaskId id);

    /**
     * What has happened to a task after its event {@code after}, oldest first: progress, log lines, partial output,
     * questions. A page has fewer than {@code limit} events where events are large, and is empty after the last event.
     */
    List<TaskEvent> history(TaskId id, long after, int limit);

    /**
     * Calls a long-running tool for the owner of these tasks; for the local user where these are the tasks of all
     * owners. {@link #answer}, or any client of the owner, answers questions of the tool.
     *
     * @param arguments a record, a map, or a JSON object
     */
    Started start(String tool, Object arguments);

    /**
     * As {@link #start(String, Object)}, but safe to repeat. The first call under a key, at any server of the store,
     * creates a task; later calls get that task for as long as it is kept. So a message that is delivered twice creates
     * one task.
     *
     * @param key unique among the calls of the owner, such as the id of the message; no client sees it
     */
    Started start(String tool, Object arguments, String key);

    /** Calls the tool of an ended task again: a new task, with the same arguments, of the same owner. */
    Started retry(TaskId id);

    /**
     * As {@link #retry}, but the new task goes on from what the ended task has recorded: its done steps, answers and
     * pieces of output. Refused where the task has recorded no step.
     */
    Started resume(TaskId id);

    /**
     * Cancels a task.
     *
     * @param reason the reason that the task shows; null for none
     */
    Cancelled cancel(TaskId id, @Nullable String reason);

    /** Adds a line to the log of a live task; false where the task does not run. */
    boolean log(TaskId id, String line);

    /**
     * Answers a question of a task with what a person did with its form.
     *
     * @param key the key of a question of {@link Task#outstanding()}
     */
    Answered answer(TaskId id, String key, ElicitResult<?> answer);

    /** Removes a task that has ended, with its history, at once and whatever its retention. */
    Deleted delete(TaskId id);

    /**
     * Removes the tasks that match {@code filter} and have ended before a time.
     *
     * @return how many were removed
     */
    int purge(TaskFilter filter, Instant endedBefore);

    /**
     * Follows a task: gives the changes after its event {@code after}, past changes first.
     *
     * @param after 0 for its whole history
     * @return empty where there is no such task
     */
    Optional<TaskWatch> watch(TaskId id, long after);
}
