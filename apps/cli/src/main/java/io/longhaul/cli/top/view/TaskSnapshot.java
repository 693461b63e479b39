// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top.view;

import io.longhaul.cli.tasks.TaskText;
import io.longhaul.protocol.call.TaskRecord;
import io.longhaul.protocol.call.TaskView.State;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a server at one moment.
 *
 * @param tasks   newest first
 * @param isCut   whether there are more live tasks, which are older
 * @param at      when the tasks were read
 * @param trouble why the tasks could not be read anew, or null
 */
public record TaskSnapshot(
        List<TaskRecord> tasks,
        boolean isCut,
        Instant at,
        @Nullable String trouble) {

    public TaskSnapshot {
        tasks = List.copyOf(tasks);
    }

    /** These tasks, with the reason why newer ones cannot be read. */
    public TaskSnapshot troubled(String why) {
        return new TaskSnapshot(tasks, isCut, at, why);
    }

    long in(State state) {
        return tasks.stream()
                .filter(task -> task.task().status().state() == state)
                .count();
    }

    /** Whether there are tasks of more than one owner, as an operator sees them. */
    boolean hasOwners() {
        return tasks.stream().map(TaskRecord::owner).distinct().limit(2).count() > 1;
    }

    public static boolean isEnded(TaskRecord task) {
        return TaskText.ENDED.contains(task.task().status().state());
    }
}
