// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One durable call: an immutable snapshot, replaced as a whole by each commit.
 *
 * @param id     the id
 * @param spec   the part that never changes
 * @param status the part that changes in view of its requestor
 * @param execution the lease, the attempts, and the handle of an external job
 * @param position  the version, and how far the history goes
 */
public record Task(TaskId id, TaskSpec spec, TaskStatus status, Execution execution, TaskPosition position) {

    public TaskState state() {
        return status.state();
    }

    public Owner owner() {
        return spec.owner();
    }

    /** Questions that still wait for their answer, oldest first. */
    public List<InputRequest> outstanding() {
        var inputs = status.inputs();
        return inputs.isEmpty()
                ? inputs
                : inputs.stream().filter(InputRequest::isOutstanding).toList();
    }

    /** The end of the task, or null while the task is live. */
    public @Nullable Ending ending() {
        return status.ending();
    }

    /** Whether the task and its work have ended: from then on only the retention of the task changes. */
    public boolean hasEndedWork() {
        var ending = ending();
        return ending != null && ending.workEnded();
    }

    /** When the retention ends, or null while that cannot be known: the task runs, or a session has joined it. */
    public @Nullable Instant expiry() {
        var ending = ending();
        return status.retention().expiry(spec.createdAt(), ending == null ? null : ending.at());
    }
}
