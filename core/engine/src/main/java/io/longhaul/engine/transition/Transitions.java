// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.transition;

import io.longhaul.engine.task.Attempts;
import io.longhaul.engine.task.Ending;
import io.longhaul.engine.task.Happening;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Stamp;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.engine.task.TaskState;
import io.longhaul.engine.task.TaskStatus;
import io.longhaul.engine.task.Tenure;
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

    /** A new task for the node of {@code lease}; with {@code startNow} its first attempt is counted at once. */
    public static Decision.Accepted create(
            TaskId id, TaskSpec spec, Retention retention, Carried carried, Lease lease, boolean startNow) {
        var now = spec.createdAt();
        var events = new ArrayList<TaskEvent>();
        Consumer<Happening> add = what -> events.add(new TaskEvent(events.size() + 1, now, what));
        add.accept(new Happening.Created());
        carried.happenings().forEach(add);
        if (startNow) {
            add.accept(new Happening.Started(1));
        }
        var state = startNow ? TaskState.WORKING : TaskState.SUBMITTED;
        var status = new TaskStatus(state, null, null, carried.answered(), null, retention);
        var attempts = startNow ? new Attempts(1, 0) : Attempts.NONE;
        var stamp = new Stamp(0, 0, now).next(events, now);
        var task = new Task(id, spec, status, new Tenure(lease, attempts, null), stamp);
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
        var draft = new Draft(task, now);
        if (report != null && TransitionTable.isKnown(task.state(), CommandKind.REPORT)) {
            apply(draft, report);
        }
        var refusal = refusal(draft, command);
        if (refusal != null) {
            return new Decision.Refused(task, command, refusal);
        }
        var from = draft.state;
        apply(draft, command);
        if (!TransitionTable.isLegal(from, command.kind(), draft.state)) {
            throw new IllegalStateException(
                    command.kind() + " led task " + task.id() + " from " + from + " to " + draft.state);
        }
        return draft.accept();
    }

    private static @Nullable Reason refusal(Draft draft, Command command) {
        if (!TransitionTable.isKnown(draft.state, command.kind())) {
            return draft.state.isTerminal() ? Reason.ENDED : Reason.ILLEGAL;
        }
        return switch (command) {
            case Command.Answer c
            when draft.inputs.stream()
                    .noneMatch(q -> q.isOutstanding() && c.answers().containsKey(q.key())) -> Reason.NOT_OUTSTANDING;
            case Command.LeaveUnanswered c
            when draft.inputs.stream()
                    .noneMatch(q -> q.isOutstanding() && q.key().equals(c.key())) -> Reason.NOT_OUTSTANDING;
            case Command.Ask c when !keysAreNew(draft.inputs, c.questions()) -> Reason.KEY_USED;
            case Command.ConfirmStopped c when isStopped(draft.ending) -> Reason.ALREADY_STOPPED;
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

    private static void apply(Draft draft, Command command) {
        switch (command) {
            case Command.Start c -> {
                draft.state = TaskState.WORKING;
                draft.countStart(c.lease(), 0);
            }
            case Command.StartAgain c -> startAgain(draft, c);
            case Command.Report c -> report(draft, c);
            case Command.Record c -> {
                draft.happened(c.what());
                if (c.isNew()) {
                    draft.attempts = draft.attempts.withoutCrashes();
                }
            }
            case Command.Ask c -> ask(draft, c.questions());
            case Command.Answer c -> answer(draft, c);
            case Command.LeaveUnanswered c ->
                draft.end(
                        new Outcome.Failed(
                                Outcome.FailureReason.UNANSWERED,
                                "The question '" + c.key() + "' was not answered before its deadline."),
                        false);
            case Command.SaveHandle c -> draft.handle = c.handle();
            case Command.Finish c -> draft.end(c.outcome(), c.workEnded());
            case Command.GiveUp c -> draft.end(c.why(), c.workEnded() || draft.state == TaskState.SUBMITTED);
            case Command.TimeOut c -> draft.end(c.outcome(), false);
            case Command.Cancel c ->
                draft.end(new Outcome.Cancelled(c.reason()), draft.state == TaskState.SUBMITTED && !c.atOtherNode());
            case Command.ConfirmStopped c -> confirmStopped(draft);
            case Command.HandBack c -> {
                draft.lease = c.isKept() ? draft.lease : null;
                if (draft.state != TaskState.SUBMITTED) {
                    draft.happened(new Happening.HandedBack());
                }
            }
            case Command.Retain c ->
                draft.retention = c.isForParent() && draft.retention.basis() == Retention.Basis.LEAVING
                        ? Retention.fromLeaving(c.retention().duration())
                        : c.retention();
        }
    }

    private static void startAgain(Draft draft, Command.StartAgain c) {
        if (c.why() != Command.StartAgain.Why.TAKEN_UP) {
            draft.happened(new Happening.Crashed(draft.attempts.started()));
        }
        draft.countStart(c.lease(), c.why() == Command.StartAgain.Why.CRASHED ? 1 : 0);
    }

    private static void report(Draft draft, Command.Report c) {
        Progress said = c.progress();
        Progress last = draft.progress;
        if (said != null && advances(last, said)) {
            draft.progress = said;
            // "The progress value MUST increase with each notification": another text for the same shows in the task
            if (last == null || said.current() > last.current()) {
                draft.happened(new Happening.Progressed(said));
            }
        }
        String message = c.message();
        if (message != null && !message.equals(draft.message)) {
            draft.message = message;
            draft.happened(new Happening.Said(message));
        }
    }

    /** Whether {@code said} may follow {@code last}: progress is a finite number, and never decreases. */
    public static boolean advances(@Nullable Progress last, Progress said) {
        return Double.isFinite(said.current()) && (last == null || said.current() >= last.current());
    }

    private static void ask(Draft draft, List<InputRequest> questions) {
        var inputs = new ArrayList<>(draft.inputs);
        inputs.addAll(questions);
        draft.inputs = inputs;
        draft.state = TaskState.INPUT_REQUIRED;
        questions.forEach(q -> draft.happened(new Happening.Asked(q.key())));
    }

    private static void answer(Draft draft, Command.Answer c) {
        var answers = c.answers();
        var inputs = new ArrayList<InputRequest>();
        for (InputRequest question : draft.inputs) {
            var given = answers.get(question.key());
            if (given != null && question.isOutstanding()) {
                inputs.add(question.answeredWith(given));
                draft.happened(new Happening.Answered(question.key()));
            } else {
                inputs.add(question);
            }
        }
        draft.inputs = inputs;
        draft.attempts = draft.attempts.withoutCrashes();
        if (inputs.stream().noneMatch(InputRequest::isOutstanding)) {
            draft.state = TaskState.WORKING;
        }
    }

    private static void confirmStopped(Draft draft) {
        Ending ending = draft.ending;
        if (ending == null) {
            throw new IllegalStateException("a task that has not ended has no end to confirm");
        }
        draft.ending = new Ending(ending.outcome(), ending.at(), true);
        draft.happened(new Happening.WorkEnded());
    }
}
