// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top.view;

import io.longhaul.protocol.call.TaskRecord;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The list of tasks as the user sees it. Immutable.
 *
 * @param selected the id of the task that keys act on; null for the first task
 */
public record TaskList(
        TaskSnapshot snapshot,
        ListFilter filter,
        TaskOrder order,
        @Nullable String selected) {

    List<TaskRecord> listed() {
        return snapshot.tasks().stream()
                .filter(filter::takes)
                .sorted(order.comparator())
                .toList();
    }

    /** The index of the selected task in the list; 0 where it is no longer listed. */
    int place() {
        var listed = listed();
        for (int i = 0; i < listed.size(); i++) {
            if (listed.get(i).task().id().equals(selected)) {
                return i;
            }
        }
        return 0;
    }

    Optional<TaskRecord> task() {
        var listed = listed();
        return listed.isEmpty() ? Optional.empty() : Optional.of(listed.get(place()));
    }

    public TaskList with(TaskSnapshot newer) {
        return new TaskList(newer, filter, order, selected);
    }

    public TaskList with(ListFilter other) {
        return new TaskList(snapshot, other, order, selected);
    }

    public TaskList with(TaskOrder other) {
        return new TaskList(snapshot, filter, other, selected);
    }

    /** Selects the task {@code places} below the selected one; above it where {@code places} is negative. */
    TaskList moved(int places) {
        var listed = listed();
        if (listed.isEmpty()) {
            return this;
        }
        int to = Math.clamp((long) place() + places, 0, listed.size() - 1);
        return new TaskList(snapshot, filter, order, listed.get(to).task().id());
    }
}
