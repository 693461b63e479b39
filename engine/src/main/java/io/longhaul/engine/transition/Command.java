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
    CommandKind kind();

    /** Counts the first attempt, before it starts. */
    record Start(Lease lease) implements Command {
        @Override
        public CommandKind kind() {
            return CommandKind.START;
        }
    }

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

        @Override
        public CommandKind kind() {
            return CommandKind.START_AGAIN;
        }
    }

    /** Progress, status message or both; a progress less than the last one is ignored. */
    record Report(@Nullable Progress progress, @Nullable String message) implements Command {
        @Override
        public CommandKind kind() {
            return CommandKind.REPORT;
        }
    }

    /** A log line, a piece of output or a done step: something for the history alone. */
    record Record(Happening what) implements Command {
        public Record {
            if (!(what instanceof Happening.Logged
                    || what instanceof Happening.Emitted
                    || what instanceof Happening.StepDone)) {
                throw new IllegalArgumentException("changes more than the history: " + what);
            }
        }

        @Override
        public CommandKind kind() {
            return CommandKind.RECORD;
        }
    }

    /** Asks the requestor; the keys must be new in the task. */
    record Ask(List<InputRequest> questions) implements Command {
        public Ask {
            questions = List.copyOf(questions);
        }

        @Override
        public CommandKind kind() {
            return CommandKind.ASK;
        }
    }

    /** Answers by key; those that are not outstanding are ignored. */
    record Answer(Map<String, Payload> answers) implements Command {
        public Answer {
            answers = Map.copyOf(answers);
        }

        @Override
        public CommandKind kind() {
            return CommandKind.ANSWER;
        }
    }

    /** The deadline of one question has passed. */
    record LeaveUnanswered(String key) implements Command {
        @Override
        public CommandKind kind() {
            return CommandKind.LEAVE_UNANSWERED;
        }
    }

    /** What the backend needs to find its job again. */
    record SaveHandle(Payload handle) implements Command {
        @Override
        public CommandKind kind() {
            return CommandKind.SAVE_HANDLE;
        }
    }

    /** The work has come to its end. */
    record Finish(Outcome outcome) implements Command {
        @Override
        public CommandKind kind() {
            return CommandKind.FINISH;
        }
    }

    /** The engine ends the task; {@code workEnded} says whether nothing of its work can be running any more. */
    record GiveUp(Outcome.Failed why, boolean workEnded) implements Command {
        @Override
        public CommandKind kind() {
            return CommandKind.GIVE_UP;
        }
    }

    /** The owner wants it to end. */
    record Cancel(@Nullable String reason) implements Command {
        @Override
        public CommandKind kind() {
            return CommandKind.CANCEL;
        }
    }

    /** The work of an ended task is known to have stopped. */
    record ConfirmStopped() implements Command {
        @Override
        public CommandKind kind() {
            return CommandKind.CONFIRM_STOPPED;
        }
    }

    /** A stopping server gives a started task back. */
    record HandBack() implements Command {
        @Override
        public CommandKind kind() {
            return CommandKind.HAND_BACK;
        }
    }

    /** Keeps the task for another time than before; its owner may ask for that, also after its end. */
    record Retain(Retention retention) implements Command {
        @Override
        public CommandKind kind() {
            return CommandKind.RETAIN;
        }
    }
}
