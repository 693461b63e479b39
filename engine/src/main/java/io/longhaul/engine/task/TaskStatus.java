// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of a task that its requestor can see change.
 *
 * @param state     where it stands
 * @param message   the latest status message, or null
 * @param progress  the latest progress, or null
 * @param inputs    every question it has asked, oldest first, answered ones too
 * @param ending    its end, or null while it is live
 * @param retention how long it is kept
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
