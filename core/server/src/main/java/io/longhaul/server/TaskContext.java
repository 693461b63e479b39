// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * The context of a call of a long-running tool: the access of the handler to its caller and to the durable task.
 * Thread-safe.
 *
 * <p>When the call is cancelled or times out, the handler's thread is interrupted, and methods that write throw.
 */
public interface TaskContext extends ToolContext {

    /** The task's id. */
    String id();

    /**
     * The number of this attempt, counted from 1; greater than 1 only after a crash, a restart of the server, where
     * another node takes the task over, or after a {@linkplain LongRunning#suspendAfter suspension}.
     */
    int attempt();

    /** When the call will be stopped; empty where the tool has no timeout. */
    Optional<Instant> deadline();

    /** Sets the status message: one sentence about the present activity. */
    void status(String message);

    /**
     * Stores a piece of partial output, written as JSON, in order; the piece is durable on return. A client that calls
     * with resume tokens gets the output part by part: a text as it is, any other value as its JSON. By default a piece
     * may have 1 MiB, and all pieces of a task 16 MiB. A piece that does not fit is not stored, and fails the task with
     * an error that names the limit, unless the handler catches the exception.
     */
    void partial(Object output);

    /** The number of pieces of partial output, those of earlier attempts included: where to go on after a crash. */
    int partialCount();

    /**
     * Runs {@code action} and records its result. Where an earlier attempt has done the step, gives the recorded result
     * instead. A step whose action throws has not happened: the handler may try it again under its name.
     *
     * @param name unique in the handler
     */
    <T> T step(String name, Class<T> type, Callable<T> action) throws Exception;

    /**
     * Calls a long-running tool of this server, including tools of a {@code Gateway}. The call is a task of the same
     * owner, runs in parallel to the handler with the options of its tool, and is a child of this task. An attempt
     * after a crash gets the child of the earlier attempt, even if the arguments differ.
     *
     * <p>A child never outlives its parent: when this task ends, in any way, its live children are cancelled. While the
     * handler waits for a child, questions of the child go to the caller of this task. Beyond a limit of children
     * ({@link io.longhaul.engine.TaskLimits#childrenPerTask}, {@link io.longhaul.engine.TaskLimits#childDepth} or
     * {@link io.longhaul.engine.TaskLimits#livePerOwner}) this task ends with an error that names the limit.
     *
     * @param name      unique in the handler, among its steps too; not empty, and without a slash at its end
     * @param arguments written as JSON
     * @throws IllegalArgumentException where there is no such tool, or the tool does not accept these arguments
     */
    ChildTask call(String name, String tool, Object arguments);

    /** Calls a tool under the tool's own name: once in a handler. */
    default ChildTask call(String tool, Object arguments) {
        return call(tool, tool, arguments);
    }

    /** The answer to a question that the tool declares with {@code elicitFirst}. */
    <T> ElicitResult<T> elicitedFirst(String key, Class<T> form) throws InterruptedException;
}
