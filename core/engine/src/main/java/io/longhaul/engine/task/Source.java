// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * Where a task came from.
 *
 * @param origin opaque to the engine: dialect, session, request id, capabilities
 * @param route  the key by which its creator finds the task again; null for a task without such a key
 */
public record Source(Payload origin, @Nullable Route route) {

    /** The task whose work has called this task; null for a task that came from outside. */
    public @Nullable TaskId parent() {
        return route == null ? null : route.parent();
    }
}
