// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine;

import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Task;
import java.util.List;

/** A callback that the engine invokes for each change of a task, in the order of the commits. */
@FunctionalInterface
public interface TaskWatcher {

    /**
     * The task has changed. Called on the thread that made the change, while no other change of the task can be made:
     * an implementation neither blocks nor calls the engine.
     *
     * @param now    the task after the change
     * @param events what has happened, oldest first; {@link TaskEngine#history} has earlier events that the watcher did
     *               not get
     */
    void changed(Task now, List<TaskEvent> events);

    /**
     * The task was removed before this watcher was told of its end, which another node has stored. Called as
     * {@link #changed} is.
     */
    default void removed() {}
}
