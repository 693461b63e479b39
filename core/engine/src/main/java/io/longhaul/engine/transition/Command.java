// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.transition;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Retention;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A change that can be requested of an existing task. */
public sealed interface Command {

    /** The name of the command, for operators. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** Counts the first attempt, before the attempt starts. */
    record Start(Lease lease) implements Command {}

    /** Counts one more attempt, before the attempt starts. */
    record StartAgain(Lease lease, Why why) implements Command {

        /** Why work is started again. */
        public enum Why {
            /** The server died, and the work with it. */
            CRASHED,
            /** The server died, but the work went on: as a job outside of the server, or in a child. */
            REATTACHED,
            /** A stopping server gave the task back, or the task only waited for an answer. */
            TAKEN_UP
        }
    }

    /**
     * The work has failed and is retried. Refused where an earlier attempt to store this was carried out.
     *
     * @param failed how many attempts have failed with this one
     */
    record FailAttempt(int failed, Instant retryAt, String message) implements Command {}

    /** Progress, status message or both; a progress less than the last one is ignored. */
    record Report(@Nullable Progress progress, @Nullable String message) implements Command {}

    /**
     * A log line, a piece of output or a done step: an event of the history.
     *
     * @param isNew whether the work has gone forward by it: a crash behind it is the first again
     */
    record Record(EventDetail what, boolean isNew) implements Command {

        /** A record that is new unless it is a log line. */
        public Record(EventDetail what) {
            this(what, !(what instanceof EventDetail.Logged));
        }

        public Record {
            if (!(what instanceof EventDetail.Logged
                    || what instanceof EventDetail.Emitted
                    || what instanceof EventDetail.StepDone)) {
                throw new IllegalArgumentException("is not recorded by the work: " + what);
            }
        }
    }

    /** Asks the requestor; the keys must be new in the task. */
    record Ask(List<InputRequest> questions) implements Command {
        public Ask {
            questions = List.copyOf(questions);
        }
    }

    /** Answers questions by key; answers to questions that are not outstanding are ignored. */
    record Answer(Map<String, Payload> answers) implements Command {
        public Answer {
            answers = Map.copyOf(answers);
        }
    }

    /** The deadline of one question has passed. */
    record LeaveUnanswered(String key) implements Command {}

    /** Saves the handle by which the backend finds its job again. */
    record SaveHandle(Payload handle) implements Command {}

    /**
     * The work has returned; {@code workEnded} is false where the work has called children, which are then still to be
     * ended.
     */
    record Finish(Outcome outcome, boolean workEnded) implements Command {

        /** The end of work without children. */
        public Finish(Outcome outcome) {
            this(outcome, true);
        }
    }

    /** The engine ends the task; {@code workEnded} says whether nothing of its work can be running any more. */
    record GiveUp(Outcome.Failed why, boolean workEnded) implements Command {}

    /** The work has exceeded its timeout: the task ends with a failure, or with the partial result of the work. */
    record TimeOut(Outcome outcome) implements Command {}

    /**
     * The owner cancels the task.
     *
     * @param atOtherNode whether the cancel comes at another node than that of the task. Only the node of the task
     *                    knows whether work is left: it confirms the stop after it has learned of the cancel
     */
    record Cancel(@Nullable String reason, boolean atOtherNode) implements Command {

        public Cancel(@Nullable String reason) {
            this(reason, false);
        }
    }

    /** The work of an ended task is known to have stopped. */
    record ConfirmStopped() implements Command {}

    /**
     * A node gives a task back, because the node stops or is drained.
     *
     * @param isKept whether the task keeps its lease, because only its node can find its work again
     */
    record HandBack(boolean isKept) implements Command {}

    /**
     * Changes the retention of the task, also after its end.
     *
     * @param isForParent whether the parent of the task may still ask for the task. Then the task is kept until the
     *                    parent leaves it, and for the duration from then on, unless the parent has left it already
     */
    record Retain(Retention retention, boolean isForParent) implements Command {}
}
