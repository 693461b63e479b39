// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.task.Task;
import io.longhaul.engine.transition.Decision;

/** What became of a command. */
sealed interface Changed {

    /** It is durable, and its effects were started. */
    record Done(Task task) implements Changed {}

    /** It was not legal; {@code task} stays as it is. */
    record Refused(Task task, Decision.Reason reason) implements Changed {}

    /** This node has lost its right to the task. */
    record Fenced() implements Changed {}

    /** The task is gone. */
    record Missing() implements Changed {}
}
