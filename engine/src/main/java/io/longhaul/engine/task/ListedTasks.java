// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list of tasks, newest first. A page may have few tasks, or none, though others follow: the search for
 * tasks that a filter takes looks at so many tasks for one page and no more.
 *
 * @param tasks that were found
 * @param next  before which the next page begins; null where no page follows
 */
public record ListedTasks(List<Task> tasks, @Nullable TaskId next) {

    /** No tasks, and none follow. */
    public static final ListedTasks NONE = new ListedTasks(List.of(), null);

    public ListedTasks {
        tasks = List.copyOf(tasks);
    }

    /** The page of the first {@code limit} of {@code found}, behind which others follow where there are more. */
    public static ListedTasks first(List<Task> found, int limit) {
        return found.size() <= limit
                ? new ListedTasks(found, null)
                : new ListedTasks(found.subList(0, limit), found.get(limit - 1).id());
    }
}
