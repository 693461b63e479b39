// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.contract;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.task.Attempts;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Ending;
import io.longhaul.engine.task.Execution;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskPosition;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.engine.task.TaskState;
import io.longhaul.engine.task.TaskStatus;
import io.longhaul.fakes.FakeTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds tasks and changes to them for tests of stores, without an engine. */
public final class TaskFixtures {

    /** The time of all fixtures. */
    public static final Instant NOW = FakeTime.START.plusNanos(123_456_789);

    public static final Owner ALICE = new Owner("alice");
    public static final Owner BOB = new Owner("bob");

    private TaskFixtures() {}

    /** The {@code number}th id; ids sort by their numbers. */
    public static TaskId id(long number) {
        var digits = Long.toString(number, 32);
        return new TaskId("0".repeat(TaskId.LENGTH - digits.length()) + digits);
    }

    /** A new task of {@link #ALICE} that is not started and is kept for a day from its creation. */
    public static Task task(long number) {
        return task(number, ALICE, null);
    }

    public static Task task(long number, Owner owner, @Nullable CreationKey key) {
        var origin = Payload.ofText("{\"dialect\":\"test\"}");
        return task(number, new TaskSpec(owner, "work", Payload.ofText("{\"n\":" + number + "}"), origin, key, NOW));
    }

    public static Task task(long number, TaskSpec spec) {
        var retention = Retention.fromCreation(Duration.ofDays(1));
        var status = new TaskStatus(TaskState.SUBMITTED, null, null, List.of(), null, retention);
        var execution = new Execution(null, Attempts.NONE, null);
        return new Task(id(number), spec, status, execution, new TaskPosition(1, 1, NOW));
    }

    /** The creation of {@code task} without a fence, with the first event. */
    public static Change creation(Task task) {
        return new Change(
                null, task, List.of(new TaskEvent(1, task.position().updatedAt(), new EventDetail.Created())), null);
    }

    /** A change of {@code before} to another status and execution, with its events. */
    public static Change change(
            Task before, TaskStatus status, Execution execution, @Nullable Lease fence, EventDetail... happened) {
        var events = new ArrayList<TaskEvent>();
        for (var what : happened) {
            events.add(new TaskEvent(before.position().lastEvent() + events.size() + 1, NOW, what));
        }
        var position = TaskEvent.positionAfter(before.position(), events, NOW);
        return new Change(before, new Task(before.id(), before.spec(), status, execution, position), events, fence);
    }

    /** The start of the next attempt under {@code lease}. */
    public static Change start(Task before, Lease lease) {
        var attempts = before.execution().attempts();
        var started = new Attempts(attempts.started() + 1, attempts.crashes());
        return change(
                before,
                inState(before, TaskState.WORKING),
                new Execution(lease, started, before.execution().handle()),
                lease,
                new EventDetail.Started(started.started()));
    }

    /** Progress under the task's own lease. */
    public static Change progress(Task before, double current) {
        var progress = new Progress(current, 100.0, "at " + current);
        var status = before.status();
        var after = new TaskStatus(
                status.state(), status.message(), progress, status.inputs(), status.ending(), status.retention());
        return change(
                before, after, before.execution(), before.execution().lease(), new EventDetail.Progressed(progress));
    }

    /** A question under the task's own lease. */
    public static Change question(Task before, String key, Payload params) {
        var inputs = new ArrayList<>(before.status().inputs());
        inputs.add(new InputRequest(key, "elicitation/create", params, NOW, NOW.plusSeconds(60), null));
        var status = withInputs(before, TaskState.INPUT_REQUIRED, inputs);
        return change(before, status, before.execution(), before.execution().lease(), new EventDetail.Asked(key));
    }

    /** The answer to the question with this key, without a fence. */
    public static Change answer(Task before, String key, Payload answer) {
        var inputs = before.status().inputs().stream()
                .map(input -> input.key().equals(key) ? input.answeredWith(answer) : input)
                .toList();
        var status = withInputs(before, TaskState.WORKING, inputs);
        return change(before, status, before.execution(), null, new EventDetail.Answered(key));
    }

    /** The end of the task without a fence; if {@code workEnded}, its work has ended too. */
    public static Change end(Task before, Outcome outcome, Instant at, boolean workEnded) {
        var after = ended(before.status(), new Ending(outcome, at, workEnded));
        return change(before, after, before.execution(), null, new EventDetail.Ended(outcome));
    }

    private static TaskStatus ended(TaskStatus status, Ending ending) {
        return new TaskStatus(
                ending.outcome().state(),
                status.message(),
                status.progress(),
                status.inputs(),
                ending,
                status.retention());
    }

    /** The end of the work of a task that had ended before. */
    public static Change workEnded(Task before) {
        var ending = before.ending();
        if (ending == null) {
            throw new IllegalArgumentException("task " + before.id() + " is live");
        }
        var after = ended(before.status(), new Ending(ending.outcome(), ending.at(), true));
        return change(before, after, before.execution(), null, new EventDetail.WorkEnded());
    }

    /** A change of the retention, without a fence. */
    public static Change retained(Task before, Retention retention) {
        var status = before.status();
        var after = new TaskStatus(
                status.state(), status.message(), status.progress(), status.inputs(), status.ending(), retention);
        return change(before, after, before.execution(), null);
    }

    /** A result with the given text. */
    public static Outcome result(String text) {
        return new Outcome.Result(Payload.ofText(text), false);
    }

    private static TaskStatus inState(Task task, TaskState state) {
        return withInputs(task, state, task.status().inputs());
    }

    private static TaskStatus withInputs(Task task, TaskState state, List<InputRequest> inputs) {
        var status = task.status();
        return new TaskStatus(state, status.message(), status.progress(), inputs, status.ending(), status.retention());
    }
}
