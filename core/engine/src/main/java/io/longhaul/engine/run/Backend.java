// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import io.longhaul.engine.task.Outcome;
import org.jspecify.annotations.Nullable;

/** Runs the work of tasks. Implementations are thread-safe: many tasks run in one backend at once. */
public interface Backend {

    /**
     * Runs one attempt, blocking its virtual thread until the work has ended. The engine calls this method again for
     * the same task after a crash where the crash policy says so. Under
     * {@link io.longhaul.engine.task.CrashPolicy#REATTACH} the backend finds its job by {@link Run#handle()} and goes
     * on waiting for the job.
     *
     * @throws InterruptedException when the task was cancelled, has timed out or is suspended ({@link
     *                              SuspendedException}), or the server stops
     * @throws RunException         carries the outcome of the task
     * @throws Exception            any other exception ends the task with a JSON-RPC internal error; the text of the
     *                              exception goes to the log only
     */
    Outcome run(Run run) throws Exception;

    /**
     * Stops work that goes on outside of the server, and returns when that work has stopped. Called after a cancel or a
     * timeout, and after any end of work that has called children: while {@link #run} still blocks, or alone after a
     * restart. Work inside the server needs no implementation: its thread is interrupted.
     */
    default void stop(Run run) throws InterruptedException {}

    /**
     * The outcome of a task that exceeds its timeout: the partial result of the work, or {@code end}. Called before the
     * end is stored and before {@link #stop}, while {@link #run} still blocks or alone after a restart. An
     * implementation only reads what is at hand: it neither waits nor changes anything.
     */
    default Outcome timedOut(Run run, Outcome.Failed end) {
        return end;
    }

    /**
     * The text that a cancelled task shows: {@code reason}, and below that line the partial result of the work. Called
     * as {@link #timedOut} is.
     *
     * @param reason one line, or null where none was given
     * @return {@code reason}, or a text that begins with that line; null only where there is no reason
     */
    default @Nullable String cancelled(Run run, @Nullable String reason) {
        return reason;
    }

    /**
     * Whether only the node that has begun a job outside of the server can continue it, such as a process of its
     * machine. Other nodes over the same store leave such a job to its node for a while. Any node continues other jobs
     * as soon as their node is gone. Called only under {@link io.longhaul.engine.task.CrashPolicy#REATTACH}.
     */
    default boolean isBoundToNode() {
        return true;
    }
}
