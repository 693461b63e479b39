// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.ledger;

import io.longhaul.engine.task.Task;
import io.longhaul.engine.transition.Decision;

/** The result of a command. */
public sealed interface ChangeResult {

    /** The change is durable, and its effects were started. */
    record Done(Task task) implements ChangeResult {}

    /** The command was illegal; {@code task} is unchanged. */
    record Refused(Task task, Decision.Reason reason) implements ChangeResult {}

    /** This node has lost its right to the task. */
    record Fenced() implements ChangeResult {}

    /** The task does not exist any more. */
    record Missing() implements ChangeResult {}
}
