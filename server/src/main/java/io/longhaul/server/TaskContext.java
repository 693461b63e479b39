// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * A call of a long-running tool as its handler sees it: the way to its caller, and the durable task. Thread-safe.
 *
 * <p>When the call is cancelled or runs out of time, the handler's thread is interrupted, and methods that write throw.
 */
public interface TaskContext extends ToolContext {

    /** The task's id. */
    String id();

    /** Which attempt this is, counted from 1; more than that only after a crash. */
    int attempt();

    /** When the call will be stopped; empty where the tool has no timeout. */
    Optional<Instant> deadline();

    /** Says in one sentence what is being done. */
    void status(String message);

    /**
     * Stores a piece of partial output, written as JSON, in order; durable on return. A client that
     * calls with resume tokens gets it part by part: a text as it is, all else as its JSON. A piece may have 1 MiB and
     * all pieces of a task 16 MiB, where the server's limits say nothing else: one that does not fit is not stored and
     * fails the task, with an error that says so, unless the handler catches what is thrown.
     */
    void partial(Object output);

    /** How many pieces of partial output there are, those of earlier attempts too: where to go on after a crash. */
    int partialCount();

    /**
     * Does {@code action} unless an earlier attempt has done it, and gives its recorded result.
     *
     * @param name unique in the handler
     */
    <T> T step(String name, Class<T> type, Callable<T> action) throws Exception;

    /**
     * Calls a long-running tool of this server, one of a {@code Gateway} too: as a task of the same owner, which runs
     * beside the handler by the options of its tool, and is a child of this one. An attempt after a crash gets the
     * child of the earlier one, whatever the arguments are then.
     *
     * <p>A child never outlives its parent: what is open when this task ends, in whichever way, is cancelled. What it
     * asks is asked of the caller of this task while the handler waits for it. The limits of children
     * ({@link io.longhaul.engine.TaskLimits#childrenPerTask}, {@link io.longhaul.engine.TaskLimits#childDepth} and
     * {@link io.longhaul.engine.TaskLimits#livePerOwner}) end this task with an error that says so.
     *
     * @param name      unique in the handler, among its steps too; not empty, and without a slash at its end
     * @param arguments written as JSON
     * @throws IllegalArgumentException where there is no such tool, or it takes no such arguments
     */
    ChildTask call(String name, String tool, Object arguments);

    /** Calls a tool once in the handler: under its own name. */
    default ChildTask call(String tool, Object arguments) {
        return call(tool, tool, arguments);
    }

    /** The answer to a question that {@code elicitFirst} of the tool names. */
    <T> ElicitResult<T> elicitedFirst(String key, Class<T> form) throws InterruptedException;
}
