// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Task;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One atomic compare-and-set of a task with the events that belong to it.
 *
 * @param before the snapshot that {@code after} was decided on; null for a creation
 * @param after  the new snapshot, with {@code before}'s version plus one (1 for a creation)
 * @param events what happened between the two; the numbers follow {@code before}'s last event
 * @param fence  the lease that must still be valid and be the task's own; null where the change needs no lease (answer,
 *               cancel)
 */
public record Change(
        @Nullable Task before,
        Task after,
        List<TaskEvent> events,
        @Nullable Lease fence) {

    public Change {
        events = List.copyOf(events);
        long expected = before == null ? 1 : before.position().version() + 1;
        if (after.position().version() != expected) {
            throw new IllegalArgumentException("version " + after.position().version() + " of task " + after.id()
                    + " does not follow " + (expected - 1));
        }
    }
}
