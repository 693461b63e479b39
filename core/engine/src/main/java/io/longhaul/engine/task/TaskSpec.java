// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The part of a task that never changes after its creation.
 *
 * @param owner       whom the task belongs to
 * @param work        the registered work (tool) that runs it
 * @param request     the arguments of the work
 * @param source      where the task came from
 * @param creationKey makes a retried creation find the same task; null where the requestor gave none
 * @param createdAt   when the task was created
 */
public record TaskSpec(
        Owner owner,
        String work,
        Payload request,
        Source source,
        @Nullable CreationKey creationKey,
        Instant createdAt) {

    /** A task without a route. */
    public TaskSpec(
            Owner owner,
            String work,
            Payload request,
            Payload origin,
            @Nullable CreationKey creationKey,
            Instant createdAt) {
        this(owner, work, request, new Source(origin, null), creationKey, createdAt);
    }

    public Payload origin() {
        return source.origin();
    }

    /** The task whose work has called this task; null for a task that came from outside. */
    public @Nullable TaskId parent() {
        return source.parent();
    }
}
