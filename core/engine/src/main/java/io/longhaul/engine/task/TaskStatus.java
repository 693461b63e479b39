// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of a task that its requestor can see change.
 *
 * @param state     the present state
 * @param message   the latest status message, or null
 * @param progress  the latest progress, or null
 * @param inputs    every question of the task, oldest first, answered questions too
 * @param ending    the end of the task, or null while the task is live
 * @param retention how long the task is kept
 */
public record TaskStatus(
        TaskState state,
        @Nullable String message,
        @Nullable Progress progress,
        List<InputRequest> inputs,
        @Nullable Ending ending,
        Retention retention) {

    public TaskStatus {
        inputs = List.copyOf(inputs);
        if (state.isTerminal() != (ending != null)) {
            throw new IllegalArgumentException("a task has an ending if and only if its state is final: " + state);
        }
    }
}
