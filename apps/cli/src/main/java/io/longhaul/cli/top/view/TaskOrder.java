// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top.view;

import io.longhaul.file.text.EnumWords;
import io.longhaul.protocol.call.TaskRecord;
import io.longhaul.protocol.call.TaskView.State;
import java.util.Comparator;
import java.util.List;

/** The orders of the list of tasks. */
public enum TaskOrder {
    /** First tasks that wait for a person, then running tasks, then queued tasks, then ended tasks. */
    STATE(Comparator.comparingInt((TaskRecord task) ->
                    Ranks.STATES.indexOf(task.task().status().state()))
            .thenComparing(Ranks.NEWEST)),
    NEWEST(Ranks.NEWEST),
    OLDEST(Ranks.NEWEST.reversed()),
    TOOL(Comparator.comparing(TaskRecord::tool).thenComparing(Ranks.NEWEST));

    final Comparator<TaskRecord> comparator;

    TaskOrder(Comparator<TaskRecord> comparator) {
        this.comparator = comparator;
    }

    TaskOrder next() {
        return values()[(ordinal() + 1) % values().length];
    }

    String word() {
        return EnumWords.of(this);
    }

    /** Values for the constants, which must be initialized before them. */
    private static final class Ranks {
        static final List<State> STATES = List.of(
                State.INPUT_REQUIRED,
                State.WORKING,
                State.SUBMITTED,
                State.FAILED,
                State.COMPLETED,
                State.DECLINED,
                State.CANCELLED);
        static final Comparator<TaskRecord> NEWEST = Comparator.comparing(
                        (TaskRecord task) -> task.task().times().createdAt())
                .thenComparing(task -> task.task().id())
                .reversed();
    }
}
