// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Task;
import java.util.List;
import java.util.Optional;

/** A stream of the committed changes of one task. One thread reads the watch; any thread may close it. */
public interface TaskWatch extends AutoCloseable {

    /**
     * A change of the task.
     *
     * @param task   the present state
     * @param events what has happened since the previous change, oldest first; where there are many events, the next
     *               change has the rest
     */
    record TaskChange(Task task, List<TaskEvent> events) {
        public TaskChange {
            events = List.copyOf(events);
        }
    }

    /**
     * Blocks until the next change comes, and gives it. The first change, which has the present state, comes at once. A
     * slow reader gets several changes as one.
     *
     * @return empty when the work of the task has ended and all changes were given, when the task was removed, or when
     *         the watch or the server is closed
     */
    Optional<TaskChange> next() throws InterruptedException;

    /** Ends the watch, also for a thread that waits in {@link #next}. The task goes on. */
    @Override
    void close();
}
