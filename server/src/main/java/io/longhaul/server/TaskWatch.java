// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import java.util.List;
import java.util.Optional;

/** What happens to one task, told as it is committed. One thread reads; any thread may close it. */
public interface TaskWatch extends AutoCloseable {

    /**
     * A change of the task.
     *
     * @param task   as it stands
     * @param events what has happened since the last change that was given, oldest first; where there are many, the
     *               next change has the rest
     */
    record TaskChange(Task task, List<TaskEvent> events) {
        public TaskChange {
            events = List.copyOf(events);
        }
    }

    /**
     * The next change. Blocks until there is one; the first one, which tells how the task stands, is there at once. A
     * reader that is slow is given several changes as one.
     *
     * @return empty when the work of the task has ended and all is told, when the task is gone, or when this or the
     *     server is closed
     */
    Optional<TaskChange> next() throws InterruptedException;

    /** Ends the watch, also for a thread that waits in {@link #next}. The task goes on. */
    @Override
    void close();
}
