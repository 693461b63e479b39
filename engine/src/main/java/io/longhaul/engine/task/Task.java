// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One durable call: an immutable snapshot, replaced as a whole by each commit.
 *
 * @param id     its own identity
 * @param spec   what never changes
 * @param status what its requestor can see change
 * @param tenure the lease under which it runs, and how often it was started
 * @param stamp  its version
 */
public record Task(TaskId id, TaskSpec spec, TaskStatus status, Tenure tenure, Stamp stamp) {

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

    /** The end of it, or null while it is live. */
    public @Nullable Ending ending() {
        return status.ending();
    }

    /** Whether it has ended, and its work too: nothing of it changes any more but its retention. */
    public boolean hasEndedWork() {
        var ending = ending();
        return ending != null && ending.workEnded();
    }
}
