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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at the work of a task, as its backend sees it. Thread-safe.
 *
 * <p>Every method that writes throws {@link StaleRunException} once this attempt has lost its right to the task (the
 * task was cancelled, has timed out, is suspended, or runs at another node): the work should end.
 */
public interface Run {

    TaskId id();

    TaskSpec spec();

    /** The number of this attempt, counted from 1. */
    int attempt();

    /** How many earlier attempts have failed and were retried; the same after a crash of this attempt. */
    default int retries() {
        return 0;
    }

    /**
     * Asks for a retry, because this attempt has failed: where the {@link Retry} of the work allows one, the outcome of
     * the attempt is dropped, and another attempt begins after a pause. That attempt has the recorded steps and
     * answers, and no {@link #handle}; a child that has failed is called again. Call this last.
     *
     * @param why a clause about the attempt, such as {@code "failed: no room"}, which the requestor may read
     * @return whether the attempt is repeated
     */
    default boolean retry(String why) {
        return false;
    }

    /** When the work will be stopped, or null where its tool has no timeout. */
    @Nullable
    Instant deadline();

    /** Whether the work should stop: its task was cancelled, has timed out or is suspended, or the server stops. */
    boolean isStopping();

    /**
     * Whether the task stays live without this attempt: the server stops and the next one takes the task up again, or
     * another node has the task.
     */
    boolean isHandingBack();

    /**
     * Reports progress; a report may be merged with the next report. A value less than an earlier value is ignored, and
     * a message is cut as by {@link MessageText#cut}.
     */
    void progress(Progress progress);

    /**
     * Sets the status message, which is cut as by {@link MessageText#cut}; the next message may replace this one before
     * it is stored.
     */
    void status(String message);

    /**
     * Writes a log line to the history; {@code level} is one of RFC 5424's, in lower case. A line that is larger than
     * {@link TaskLimits#pieceBytes()} throws a {@link RunException}.
     */
    void log(String level, @Nullable String logger, Payload data);

    /**
     * Stores a piece of partial output, in order; the piece is durable when the method returns. The method throws a
     * {@link RunException}, and stores nothing, where the piece is larger than {@link TaskLimits#pieceBytes()} or the
     * partial output of the task would exceed {@link TaskLimits#outputBytes()}.
     */
    void partial(Payload output);

    /** The number of pieces of partial output so far, those of earlier attempts included. */
    int partialCount();

    /**
     * Writes output for the people who look at the task, which no client is sent; it is durable when the method
     * returns. The oldest output gives way beyond {@link TaskLimits#outputBytes()}.
     *
     * @param mark where the work is behind this text
     */
    void write(String text, String mark);

    /** The mark of the text that was written last, by an earlier attempt too: the work goes on behind it. */
    Optional<String> writtenTo();

    /**
     * Runs {@code action} and records its result. Where an earlier attempt has done the step, gives the recorded result
     * instead. An attempt uses each name once, and again only after an action that threw: such a step has not happened.
     */
    Payload step(String name, Callable<Payload> action) throws Exception;

    /** What earlier attempts have recorded, for work that keeps a copy of its record elsewhere. */
    default Recorded recorded() {
        return Recorded.NOTHING;
    }

    /**
     * Results of steps by their names, without calls, answers to the questions of the work by their keys, and those of
     * its questions that are open, and that this attempt has not asked.
     */
    record Recorded(Map<String, Payload> steps, Map<String, Payload> answers, Map<String, Question> open) {
        public static final Recorded NOTHING = new Recorded(Map.of(), Map.of(), Map.of());
    }

    /**
     * Runs other work as a child of this task, unless an earlier attempt has made this call. A call is a step whose
     * result is the child: calls and steps share their names. The child ends with this task at the latest. The method
     * throws a {@link RunException} beyond {@link TaskLimits#childrenPerTask()}, beyond
     * {@link TaskLimits#childDepth()}, and where the owner has no room for a live task.
     *
     * @param name not empty, and without a slash at its end
     * @param call is used only where no earlier attempt has made this call
     */
    Child call(String name, Supplier<Call> call);

    /**
     * The work that is called.
     *
     * @param work    the name of the work in the engine
     * @param request the arguments of the work
     * @param origin  the origin of the child, opaque as that of any task
     * @param keep    how long the child is kept, from the end of this task
     */
    record Call(String work, Payload request, Payload origin, Duration keep) {}

    /** A task that this task has called. Thread-safe. */
    interface Child {

        TaskId id();

        /**
         * Blocks until the child has ended, and gives the child. Questions of the child meanwhile go to the requestor
         * of this task, under keys that begin with the id of the child, see {@link InputRequest#ofChild}.
         */
        Task await() throws InterruptedException;

        /** Cancels the child unless the child has ended. */
        void cancel();
    }

    /**
     * Asks the requestor, and blocks until the answer comes. A later attempt that asks the same question gets the
     * recorded answer. Without an answer within {@code timeout} the task fails as unanswered.
     *
     * @param key     the wanted key, unique in the task: a key that is taken gets a number behind it. Null to have a
     *                key chosen; then an attempt under {@code REATTACH} takes over only a question of an earlier
     *                attempt that is still open, because its job has gone on after answered questions
     * @param timeout null for the limit's default
     * @throws SuspendedException where the wait suspends the task
     */
    Payload ask(@Nullable String key, String method, Payload params, @Nullable Duration timeout)
            throws InterruptedException;

    /** Like {@link #ask} for several questions at once; the answers come in the same order. */
    List<Payload> askAll(List<Question> questions, @Nullable Duration timeout) throws InterruptedException;

    /** One question of {@link #askAll}. */
    record Question(@Nullable String key, String method, Payload params) {}

    /** The handle that was saved last, by which this backend finds its job again. */
    Optional<Payload> handle();

    /** Saves the handle; the handle is durable when the method returns. Save the handle before the job starts. */
    void saveHandle(Payload handle);
}
