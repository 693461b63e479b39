// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

import io.longhaul.engine.task.TaskId;

/** The result of committing a {@link Change}. */
public sealed interface CommitResult {

    /** The change is durable. */
    record Committed() implements CommitResult {}

    /** Another commit came first: decide again on the latest snapshot. */
    record Stale() implements CommitResult {}

    /** The lease of the change is no longer valid: its holder must stop running the task. */
    record Fenced() implements CommitResult {}

    /** The task does not exist (any more). */
    record Missing() implements CommitResult {}

    /** A creation whose key the owner has used before, for task {@code existing}. */
    record KeyTaken(TaskId existing) implements CommitResult {}
}
