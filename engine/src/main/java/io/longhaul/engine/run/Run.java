// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at the work of a task, as its backend sees it. Thread-safe.
 *
 * <p>Every method that writes throws {@link StaleRunException} once this attempt has lost its right to the task (it was
 * cancelled, timed out, or is run by another node): the work should end.
 */
public interface Run {

    TaskId id();

    TaskSpec spec();

    /** Counted from 1. */
    int attempt();

    /** When the work will be stopped, or null where its tool has no timeout. */
    @Nullable
    Instant deadline();

    /** Whether the work should stop: its task was cancelled or timed out, or the server is stopping. */
    boolean isStopping();

    /** Whether it is the server that stops while the task stays live, to be taken up again by the next one. */
    boolean isHandingBack();

    /** Reports progress; may be coalesced with the next report. A value less than an earlier one is ignored. */
    void progress(Progress progress);

    /** Sets the status message; may be coalesced with the next one. */
    void status(String message);

    /**
     * Writes a log line to the history; {@code level} is one of RFC 5424's, in lower case. A line that is larger than
     * {@link TaskLimits#pieceBytes()} throws a {@link RunException}.
     */
    void log(String level, @Nullable String logger, Payload data);

    /**
     * Stores a piece of partial output, in order; durable when it returns. A piece that is larger than
     * {@link TaskLimits#pieceBytes()}, and one for which {@link TaskLimits#outputBytes()} of the task leaves no room,
     * throws a {@link RunException}, and nothing is stored.
     */
    void partial(Payload output);

    /** How many pieces of partial output there are so far, those of earlier attempts too. */
    int partialCount();

    /**
     * Does {@code action} unless an earlier attempt has done it, and gives its recorded result. A name is used once an
     * attempt.
     */
    Payload step(String name, Callable<Payload> action) throws Exception;

    /**
     * Has other work run as a child of this task, unless an earlier attempt has called it: a call is a step whose
     * result is the child, and shares its names. The child ends with this task at the latest. More calls than
     * {@link TaskLimits#childrenPerTask()}, calls in calls beyond {@link TaskLimits#childDepth()} and a child for which
     * its owner has no room throw a {@link RunException}.
     *
     * @param name not empty, and without a slash at its end
     * @param call is asked only where no earlier attempt has called it
     */
    Child call(String name, Supplier<Call> call);

    /**
     * What is called.
     *
     * @param work    of the engine
     * @param request its arguments
     * @param origin  of the child, opaque as that of any task
     * @param keep    how long the child is kept, from the end of this task
     */
    record Call(String work, Payload request, Payload origin, Duration keep) {}

    /** A task that this one has called. Thread-safe. */
    interface Child {

        TaskId id();

        /**
         * Blocks until the child has ended, and gives it. What it asks meanwhile is asked of the requestor of this
         * task, under a key that begins with its id, see {@link InputRequest#ofChild}.
         */
        Task await() throws InterruptedException;

        /** Cancels the child, where it has not ended. */
        void cancel();
    }

    /**
     * Asks the requestor, and blocks until the answer is there. The key is unique in the task; a later attempt that
     * asks the same question gets the recorded answer. No answer within {@code timeout} fails the task as unanswered.
     *
     * @param key     wanted key, or null to have one chosen; a key that is taken gets a number behind it. Without a
     *                key, an attempt under {@code REATTACH} gets the answer of an earlier attempt only where the
     *                question was still open: its job went on after the others
     * @param timeout null for the limit's default
     */
    Payload ask(@Nullable String key, String method, Payload params, @Nullable Duration timeout)
            throws InterruptedException;

    /** Like {@link #ask} for questions that are outstanding at the same time; the answers come in the same order. */
    List<Payload> askAll(List<Question> questions, @Nullable Duration timeout) throws InterruptedException;

    /** One question of {@link #askAll}. */
    record Question(@Nullable String key, String method, Payload params) {}

    /** What this backend needs to find its job again, as last saved. */
    Optional<Payload> handle();

    /** Saves the handle; durable when it returns. Call it before the job is started. */
    void saveHandle(Payload handle);
}
