// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list of tasks, newest first. A page may have few tasks, or none, although others follow: the search for
 * tasks that match a filter looks at a limited number of tasks for one page.
 *
 * @param tasks the tasks of this page
 * @param next  the cursor: the next page begins before this task; null where no page follows
 */
public record ListedTasks(List<Task> tasks, @Nullable TaskId next) {

    /** No tasks, and none follow. */
    public static final ListedTasks NONE = new ListedTasks(List.of(), null);

    public ListedTasks {
        tasks = List.copyOf(tasks);
    }

    /**
     * The page of the first {@code limit} tasks of {@code found}; its {@code next} is set where {@code found} has more.
     */
    public static ListedTasks first(List<Task> found, int limit) {
        return found.size() <= limit
                ? new ListedTasks(found, null)
                : new ListedTasks(found.subList(0, limit), found.get(limit - 1).id());
    }
}
