// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import io.longhaul.engine.task.CrashPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A kind of work that tasks can be created for, registered under its name, usually before the engine starts.
 *
 * @param name        unique in the engine; the tool's name
 * @param backend     what runs it
 * @param crashPolicy what the engine does with its tasks after the server died
 * @param timeout     how long one task may run in all, or null for no limit
 * @param concurrency how many of its tasks run at once, at all nodes; {@link Integer#MAX_VALUE} for no limit of its own
 */
public record Work(
        String name,
        Backend backend,
        CrashPolicy crashPolicy,
        @Nullable Duration timeout,
        int concurrency) {

    /**
     * Whether tasks of this work are left to the node that has begun them, because no other node can find their jobs.
     */
    public boolean isBoundToNode() {
        return crashPolicy == CrashPolicy.REATTACH && backend.isBoundToNode();
    }
}
