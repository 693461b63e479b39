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
 * @param bounds       how long its tasks run, how many of them at once, and which of them first
 * @param suspendAfter how long an attempt waits for an answer until the engine suspends the task: the attempt is
 *                     interrupted, and the next attempt begins with the answer. Positive, and only under
 *                     {@link CrashPolicy#RESTART}; null to keep the thread of the attempt
 * @param retry        how often an attempt is repeated that fails and {@linkplain Run#retry asks} for that
 */
public record Work(
        String name,
        Backend backend,
        CrashPolicy crashPolicy,
        Bounds bounds,
        @Nullable Duration suspendAfter,
        Retry retry) {

    /**
     * The bounds of a kind of work.
     *
     * @param timeout     how long one task may run in all, or null for no limit
     * @param idle        how long an attempt may say nothing while it holds its slot, or null for no limit
     * @param concurrency how many of its tasks run at once, at all nodes; {@link Integer#MAX_VALUE} for no limit of its
     *                    own
     * @param priority    which work gets a free slot first where several wait: that with the greatest number
     * @param rate        how many tasks begin in some time, at each node; null for no limit
     */
    public record Bounds(
            @Nullable Duration timeout,
            @Nullable Duration idle,
            int concurrency,
            int priority,
            @Nullable Rate rate) {

        /** Bounds of work without any other bound or priority. */
        public Bounds(@Nullable Duration timeout, int concurrency) {
            this(timeout, null, concurrency, 0, null);
        }
    }

    public Work {
        if (suspendAfter != null && (!suspendAfter.isPositive() || crashPolicy != CrashPolicy.RESTART)) {
            throw new IllegalArgumentException("suspendAfter must be positive, and needs work that is restarted");
        }
    }

    /** Work whose attempts keep their threads while they wait for answers, and are not repeated. */
    public Work(String name, Backend backend, CrashPolicy crashPolicy, @Nullable Duration timeout, int concurrency) {
        this(name, backend, crashPolicy, new Bounds(timeout, concurrency), null, Retry.NEVER);
    }

    /** This work for the tasks of another name, such as one that the tool had before. */
    public Work named(String other) {
        return new Work(other, backend, crashPolicy, bounds, suspendAfter, retry);
    }

    public @Nullable Duration timeout() {
        return bounds.timeout();
    }

    /**
     * Whether tasks of this work are left to the node that has begun them, because no other node can find their jobs.
     */
    public boolean isBoundToNode() {
        return crashPolicy == CrashPolicy.REATTACH && backend.isBoundToNode();
    }
}
