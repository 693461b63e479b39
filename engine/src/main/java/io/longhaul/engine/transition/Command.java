// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.transition;

import io.longhaul.engine.task.Happening;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Retention;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What can be wanted of a task that exists. */
public sealed interface Command {

    /** Its column in the table. */
    default CommandKind kind() {
        return switch (this) {
            case Start command -> CommandKind.START;
            case StartAgain command -> CommandKind.START_AGAIN;
            case Report command -> CommandKind.REPORT;
            case Record command -> CommandKind.RECORD;
            case Ask command -> CommandKind.ASK;
            case Answer command -> CommandKind.ANSWER;
            case LeaveUnanswered command -> CommandKind.LEAVE_UNANSWERED;
            case SaveHandle command -> CommandKind.SAVE_HANDLE;
            case Finish command -> CommandKind.FINISH;
            case GiveUp command -> CommandKind.GIVE_UP;
            case TimeOut command -> CommandKind.TIME_OUT;
            case Cancel command -> CommandKind.CANCEL;
            case ConfirmStopped command -> CommandKind.CONFIRM_STOPPED;
            case HandBack command -> CommandKind.HAND_BACK;
            case Retain command -> CommandKind.RETAIN;
        };
    }

    /** Counts the first attempt, before it starts. */
    record Start(Lease lease) implements Command {}

    /** Counts one more attempt, before it starts. */
    record StartAgain(Lease lease, Why why) implements Command {

        /** Why work is started again. */
        public enum Why {
            /** The server died, and the work with it. */
            CRASHED,
            /** The server died, but the job of the work went on outside of it. */
            REATTACHED,
            /** A stopping server gave it back, or it only waited for an answer. */
            TAKEN_UP
        }
    }

    /** Progress, status message or both; a progress less than the last one is ignored. */
    record Report(@Nullable Progress progress, @Nullable String message) implements Command {}

    /** A log line, a piece of output or a done step: something for the history alone. */
    record Record(Happening what) implements Command {
        public Record {
            if (!(what instanceof Happening.Logged
                    || what instanceof Happening.Emitted
                    || what instanceof Happening.StepDone)) {
                throw new IllegalArgumentException("changes more than the history: " + what);
            }
        }
    }

    /** Asks the requestor; the keys must be new in the task. */
    record Ask(List<InputRequest> questions) implements Command {
        public Ask {
            questions = List.copyOf(questions);
        }
    }

    /** Answers by key; those that are not outstanding are ignored. */
    record Answer(Map<String, Payload> answers) implements Command {
        public Answer {
            answers = Map.copyOf(answers);
        }
    }

    /** The deadline of one question has passed. */
    record LeaveUnanswered(String key) implements Command {}

    /** What the backend needs to find its job again. */
    record SaveHandle(Payload handle) implements Command {}

    /** The work has come to its end; {@code workEnded} says whether it has called no children, which end with it. */
    record Finish(Outcome outcome, boolean workEnded) implements Command {

        /** Of work without children. */
        public Finish(Outcome outcome) {
            this(outcome, true);
        }
    }

    /** The engine ends the task; {@code workEnded} says whether nothing of its work can be running any more. */
    record GiveUp(Outcome.Failed why, boolean workEnded) implements Command {}

    /** The work has run for longer than it may: the task ends with a failure, or with what the work has come to. */
    record TimeOut(Outcome outcome) implements Command {}

    /**
     * The owner wants it to end.
     *
     * @param atOtherNode whether it is said at another node than that of the task, which knows alone whether anything
     *                    of the work is left: it says so when it has learned of the cancel
     */
    record Cancel(@Nullable String reason, boolean atOtherNode) implements Command {

        public Cancel(@Nullable String reason) {
            this(reason, false);
        }
    }

    /** The work of an ended task is known to have stopped. */
    record ConfirmStopped() implements Command {}

    /**
     * A node gives a task back, since it stops or is drained.
     *
     * @param isKept whether it stays in its lease, since its node alone can find its work again
     */
    record HandBack(boolean isKept) implements Command {}

    /**
     * Keeps the task for another time than before; its owner may ask for that, also after its end.
     *
     * @param isForParent whether a task that has called this one may still ask for it: then it is kept until that one
     *                    leaves it, and for the duration from then on, unless it was let go already
     */
    record Retain(Retention retention, boolean isForParent) implements Command {}
}
