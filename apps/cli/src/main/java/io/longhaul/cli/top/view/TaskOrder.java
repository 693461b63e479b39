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
    STATE,
    NEWEST,
    OLDEST,
    TOOL;

    private static final List<State> STATES = List.of(
            State.INPUT_REQUIRED,
            State.WORKING,
            State.SUBMITTED,
            State.FAILED,
            State.COMPLETED,
            State.DECLINED,
            State.CANCELLED);
    private static final Comparator<TaskRecord> NEWEST_FIRST = Comparator.comparing(
                    (TaskRecord task) -> task.task().times().createdAt())
            .thenComparing(task -> task.task().id())
            .reversed();

    Comparator<TaskRecord> comparator() {
        return switch (this) {
            case STATE ->
                Comparator.comparingInt((TaskRecord task) ->
                                STATES.indexOf(task.task().status().state()))
                        .thenComparing(NEWEST_FIRST);
            case NEWEST -> NEWEST_FIRST;
            case OLDEST -> NEWEST_FIRST.reversed();
            case TOOL -> Comparator.comparing(TaskRecord::tool).thenComparing(NEWEST_FIRST);
        };
    }

    TaskOrder next() {
        return values()[(ordinal() + 1) % values().length];
    }

    String word() {
        return EnumWords.of(this);
    }
}
