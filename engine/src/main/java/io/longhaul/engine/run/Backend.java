// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import io.longhaul.engine.task.Outcome;
import org.jspecify.annotations.Nullable;

/** Runs the work of tasks. Implementations are thread-safe: many tasks run in one backend at once. */
public interface Backend {

    /**
     * Runs one attempt, blocking its virtual thread until the work has ended. Called again for the same task after a
     * crash where the crash policy says so; under {@link io.longhaul.engine.task.CrashPolicy#REATTACH} it finds its job
     * by {@link Run#handle()} and goes on waiting for it.
     *
     * @throws InterruptedException when the task was cancelled or timed out, or the server is stopping
     * @throws RunException         what the peer is told, as the task's outcome
     * @throws Exception            anything else ends the task with a JSON-RPC internal error; its text goes to the
     * log only
     */
    Outcome run(Run run) throws Exception;

    /**
     * Stops work that goes on outside of the server, and returns when it has stopped. Called after a cancel or a
     * timeout, and after any end of work that has called children: beside {@link #run} where that still blocks, and
     * alone after a restart. Work inside the server needs nothing here: its thread is interrupted.
     */
    default void stop(Run run) throws InterruptedException {}

    /**
     * How a task ends whose time is over: a result with what the work has come to, or {@code end}. Called before the
     * end is stored and before {@link #stop}, beside {@link #run} where that still blocks, and alone after a restart.
     * It takes no longer than a look at what is there, and changes nothing.
     */
    default Outcome timedOut(Run run, Outcome.Failed end) {
        return end;
    }

    /**
     * What those are told who look at a task that its owner cancels: {@code reason}, and below that line what the work
     * has come to. Called as {@link #timedOut} is.
     *
     * @param reason one line, or null where none was given
     * @return {@code reason}, or a text that begins with that line; null only where there is no reason
     */
    default @Nullable String cancelled(Run run, @Nullable String reason) {
        return reason;
    }

    /**
     * Whether only the node that has begun a job outside of the server can go on with it, as with a process of its
     * machine. Of several nodes over one store, the others leave such a job to its node for a while; any of them goes
     * on with another one as soon as its node is gone. Asked only under
     * {@link io.longhaul.engine.task.CrashPolicy#REATTACH}.
     */
    default boolean isBoundToNode() {
        return true;
    }
}
