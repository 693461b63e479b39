// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.transition;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Attempts;
import io.longhaul.engine.task.Ending;
import io.longhaul.engine.task.Execution;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskPosition;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.engine.task.TaskState;
import io.longhaul.engine.task.TaskStatus;
import io.longhaul.engine.transition.Decision.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Decides what a command does to a task: a pure function, without clock, threads or storage. */
public final class Transitions {

    private Transitions() {}

    /**
     * A new task for the node of {@code lease}, null for any node that claims it; with {@code startNow} its first
     * attempt is counted at once.
     */
    public static Decision.Accepted create(
            TaskId id, TaskSpec spec, Retention retention, Carried carried, @Nullable Lease lease, boolean startNow) {
        var now = spec.createdAt();
        var events = new ArrayList<TaskEvent>();
        Consumer<EventDetail> add = what -> events.add(new TaskEvent(events.size() + 1, now, what));
        add.accept(new EventDetail.Created());
        carried.happenings().forEach(add);
        if (startNow) {
            add.accept(new EventDetail.Started(1));
        }
        var state = startNow ? TaskState.WORKING : TaskState.SUBMITTED;
        var status = new TaskStatus(state, null, null, carried.answered(), null, retention);
        var attempts = startNow ? new Attempts(1, 0) : Attempts.NONE;
        var position = TaskEvent.positionAfter(new TaskPosition(0, 0, now), events, now);
        var task = new Task(id, spec, status, new Execution(lease, attempts, null), position);
        return new Decision.Accepted(task, events, Effect.between(null, task));
    }

    public static Decision decide(Task task, Command command, Instant now) {
        return decide(task, null, command, now);
    }

    /**
     * Decides {@code command} together with a report that was not yet stored, so that one commit carries both; a report
     * that is no longer legal is left out.
     */
    public static Decision decide(Task task, Command.@Nullable Report report, Command command, Instant now) {
        var next = new NextTask(task, now);
        if (report != null && TransitionTable.isKnown(task.state(), Command.Report.class)) {
            apply(next, report);
        }
        var refusal = refusal(next, command);
        if (refusal != null) {
            return new Decision.Refused(refusal);
        }
        var from = next.state;
        apply(next, command);
        if (!TransitionTable.isLegal(from, command.getClass(), next.state)) {
            throw new IllegalStateException(
                    command.name() + " led task " + task.id() + " from " + from + " to " + next.state);
        }
        return next.accept();
    }

    private static @Nullable Reason refusal(NextTask next, Command command) {
        if (!TransitionTable.isKnown(next.state, command.getClass())) {
            return next.state.isTerminal() ? Reason.ENDED : Reason.ILLEGAL;
        }
        return switch (command) {
            case Command.Answer c
            when next.inputs.stream()
                    .noneMatch(q -> q.isOutstanding() && c.answers().containsKey(q.key())) -> Reason.NOT_OUTSTANDING;
            case Command.LeaveUnanswered c
            when next.inputs.stream()
                    .noneMatch(q -> q.isOutstanding() && q.key().equals(c.key())) -> Reason.NOT_OUTSTANDING;
            case Command.Ask c when !keysAreNew(next.inputs, c.questions()) -> Reason.KEY_USED;
            case Command.FailAttempt c when c.failed() <= next.attempts.failed() -> Reason.ILLEGAL;
            case Command.ConfirmStopped c when isStopped(next.ending) -> Reason.ALREADY_STOPPED;
            default -> null;
        };
    }

    private static boolean isStopped(@Nullable Ending ending) {
        return ending != null && ending.workEnded();
    }

    private static boolean keysAreNew(List<InputRequest> asked, List<InputRequest> wanted) {
        var keys = new HashSet<String>();
        asked.forEach(q -> keys.add(q.key()));
        return !wanted.isEmpty() && wanted.stream().allMatch(q -> keys.add(q.key()));
    }

    private static void apply(NextTask next, Command command) {
        switch (command) {
            case Command.Start c -> {
                next.state = TaskState.WORKING;
                next.countStart(c.lease(), 0);
            }
            case Command.StartAgain c -> startAgain(next, c);
            case Command.FailAttempt c -> failAttempt(next, c);
            case Command.Report c -> report(next, c);
            case Command.Record c -> {
                next.happened(c.what());
                if (c.isNew()) {
                    next.attempts = next.attempts.withoutCrashes();
                }
            }
            case Command.Ask c -> ask(next, c.questions());
            case Command.Answer c -> answer(next, c);
            case Command.LeaveUnanswered c ->
                next.end(
                        new Outcome.Failed(
                                Outcome.FailureReason.UNANSWERED,
                                "The question '" + c.key() + "' was not answered before its deadline."),
                        false);
            case Command.SaveHandle c -> next.handle = c.handle();
            case Command.Finish c -> next.end(c.outcome(), c.workEnded());
            case Command.GiveUp c -> next.end(c.why(), c.workEnded() || next.state == TaskState.SUBMITTED);
            case Command.TimeOut c -> next.end(c.outcome(), false);
            case Command.Cancel c ->
                next.end(new Outcome.Cancelled(c.reason()), next.state == TaskState.SUBMITTED && !c.atOtherNode());
            case Command.ConfirmStopped c -> confirmStopped(next);
            case Command.HandBack c -> {
                next.lease = c.isKept() ? next.lease : null;
                if (next.state != TaskState.SUBMITTED) {
                    next.happened(new EventDetail.HandedBack());
                }
            }
            case Command.Retain c ->
                next.retention = c.isForParent() && next.retention.basis() == Retention.Basis.LEAVING
                        ? Retention.fromLeaving(c.retention().duration())
                        : c.retention();
        }
    }

    private static void startAgain(NextTask next, Command.StartAgain c) {
        if (c.why() != Command.StartAgain.Why.TAKEN_UP) {
            next.happened(new EventDetail.Crashed(next.attempts.started()));
        }
        next.countStart(c.lease(), c.why() == Command.StartAgain.Why.CRASHED ? 1 : 0);
    }

    /** The handle names a job that has ended. */
    private static void failAttempt(NextTask next, Command.FailAttempt c) {
        next.attempts = next.attempts.failedUntil(c.retryAt());
        next.handle = null;
        report(next, new Command.Report(null, c.message()));
    }

    private static void report(NextTask next, Command.Report c) {
        Progress said = c.progress();
        Progress last = next.progress;
        if (said != null && advances(last, said)) {
            next.progress = said;
            // "The progress value MUST increase with each notification": another text for the same shows in the task
            if (last == null || said.current() > last.current()) {
                next.happened(new EventDetail.Progressed(said));
            }
        }
        String message = c.message();
        if (message != null && !message.equals(next.message)) {
            next.message = message;
            next.happened(new EventDetail.Said(message));
        }
    }

    /** Whether {@code said} may follow {@code last}: progress is a finite number, and never decreases. */
    public static boolean advances(@Nullable Progress last, Progress said) {
        return Double.isFinite(said.current()) && (last == null || said.current() >= last.current());
    }

    private static void ask(NextTask next, List<InputRequest> questions) {
        var inputs = new ArrayList<>(next.inputs);
        inputs.addAll(questions);
        next.inputs = inputs;
        next.state = TaskState.INPUT_REQUIRED;
        questions.forEach(q -> next.happened(new EventDetail.Asked(q.key())));
    }

    private static void answer(NextTask next, Command.Answer c) {
        var answers = c.answers();
        var inputs = new ArrayList<InputRequest>();
        for (InputRequest question : next.inputs) {
            var given = answers.get(question.key());
            if (given != null && question.isOutstanding()) {
                inputs.add(question.answeredWith(given));
                next.happened(new EventDetail.Answered(question.key()));
            } else {
                inputs.add(question);
            }
        }
        next.inputs = inputs;
        next.attempts = next.attempts.withoutCrashes();
        if (inputs.stream().noneMatch(InputRequest::isOutstanding)) {
            next.state = TaskState.WORKING;
        }
    }

    private static void confirmStopped(NextTask next) {
        Ending ending = next.ending;
        if (ending == null) {
            throw new IllegalStateException("a task that has not ended has no end to confirm");
        }
        next.ending = new Ending(ending.outcome(), ending.at(), true);
        next.happened(new EventDetail.WorkEnded());
    }
}
