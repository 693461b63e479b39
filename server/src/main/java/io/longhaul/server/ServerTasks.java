// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.TaskEngine.Cancelled;
import io.longhaul.engine.TaskEngine.Deleted;
import io.longhaul.engine.task.ListedTasks;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskFilter;
import io.longhaul.engine.task.TaskId;
import io.longhaul.receiver.observe.Rule;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a server, for the pages and jobs of the application that it is part of: those of all owners
 * ({@link McpServer#tasks()}), or those of one owner, for whom the task of another one does not exist
 * ({@link McpServer#tasks(io.longhaul.engine.task.Owner)}). The application itself sees to it that its users do
 * what they may: neither scopes nor rates nor interceptors stand before these methods. Thread-safe.
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

    /** What became of the wish for a new task. */
    sealed interface Started {
        /** The task is durable, and runs as soon as there is a slot. */
        record New(Task task) implements Started {}

        /** It was started under its key before. */
        record Same(Task task) implements Started {}

        /**
         * There is none.
         *
         * @param rule    why, as observers are told
         * @param problem a sentence for the user
         */
        record Refused(Rule rule, String problem) implements Started {}

        /** The owner has no task of that id which could be called again. */
        record NotFound() implements Started {}
    }

    /** What became of an answer. */
    sealed interface Answered {
        /** The answer is durable. */
        record Done(Task task) implements Answered {}

        /**
         * The answer is not what was asked for; the question stays open.
         *
         * @param problem a sentence for the user, which names the field
         */
        record Refused(String problem) implements Answered {}

        /** There is no such task, or it asks nothing under this key. */
        record NotFound() implements Answered {}
    }

    /**
     * Tasks that {@code filter} takes, newest first, after {@code before} (exclusive) where given; the page says where
     * the next one begins. The owner of the filter counts only among the tasks of all owners.
     */
    ListedTasks list(TaskFilter filter, @Nullable TaskId before, int limit);

    Optional<Task> find(TaskId id);

    /**
     * What has happened to a task after its event {@code after}, oldest first: progress, log lines, partial output,
     * questions. A page has fewer than {@code limit} events where they are large, and is empty behind the last one.
     */
    List<TaskEvent> history(TaskId id, long after, int limit);

    /**
     * Calls a long-running tool, for the owner of these tasks; for the local user where they are those of all owners.
     * What the tool asks is answered by {@link #answer}, or by any client of the owner.
     *
     * @param arguments a record, a map, or a JSON object
     */
    Started start(String tool, Object arguments);

    /**
     * The same, safe to repeat: of calls under one key, at any server of the store, one makes a task, and the others
     * get that task for as long as it is kept. So a message that is delivered twice makes one task.
     *
     * @param key unique among the calls of the owner, such as the id of the message; no client sees it
     */
    Started start(String tool, Object arguments, String key);

    /** Calls the tool of a task that has ended once more: a new task, with the same arguments, of the same owner. */
    Started retry(TaskId id);

    /**
     * Cancels a task.
     *
     * @param reason for those who look at it later; null for none
     */
    Cancelled cancel(TaskId id, @Nullable String reason);

    /**
     * Answers a question of a task with what a person did with its form.
     *
     * @param key as {@link Task#outstanding()} has it
     */
    Answered answer(TaskId id, String key, ElicitResult<?> answer);

    /** Removes a task that has ended, with its history, at once and whatever its retention. */
    Deleted delete(TaskId id);

    /**
     * Removes the tasks that {@code filter} takes and that have ended before a time.
     *
     * @return how many were removed
     */
    int purge(TaskFilter filter, Instant endedBefore);

    /**
     * Follows a task: what has happened after its event {@code after}, and then what happens.
     *
     * @param after 0 for its whole history
     * @return empty where there is no such task
     */
    Optional<TaskWatch> watch(TaskId id, long after);
}
