// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import io.longhaul.engine.task.CrashPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A kind of work that tasks can be created for, registered under its name, usually before the engine starts.
 *
 * @param name         unique in the engine; the tool's name
 * @param backend      what runs it
 * @param crashPolicy  what the engine does with its tasks after the server died
 * @param timeout      how long one task may run in all, or null for no limit
 * @param concurrency  how many of its tasks run at once, at all nodes; {@link Integer#MAX_VALUE} for no limit of its
 *                     own
 * @param suspendAfter how long an attempt waits for an answer until the engine suspends the task: the attempt is
 *                     interrupted, and the next attempt begins with the answer. Positive, and only under
 *                     {@link CrashPolicy#RESTART}; null to keep the thread of the attempt
 */
public record Work(
        String name,
        Backend backend,
        CrashPolicy crashPolicy,
        @Nullable Duration timeout,
        int concurrency,
        @Nullable Duration suspendAfter) {

    public Work {
        if (suspendAfter != null && (!suspendAfter.isPositive() || crashPolicy != CrashPolicy.RESTART)) {
            throw new IllegalArgumentException("suspendAfter must be positive, and needs work that is restarted");
        }
    }

    /** Work whose attempts keep their threads while they wait for answers. */
    public Work(String name, Backend backend, CrashPolicy crashPolicy, @Nullable Duration timeout, int concurrency) {
        this(name, backend, crashPolicy, timeout, concurrency, null);
    }

    /** This work for the tasks of another name, such as one that the tool had before. */
    public Work named(String other) {
        return new Work(other, backend, crashPolicy, timeout, concurrency, suspendAfter);
    }

    /**
     * Whether tasks of this work are left to the node that has begun them, because no other node can find their jobs.
     */
    public boolean isBoundToNode() {
        return crashPolicy == CrashPolicy.REATTACH && backend.isBoundToNode();
    }
}
