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
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.engine.task.TaskStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A mutable next of the next snapshot. Only this class counts versions and events. */
final class NextTask {

    private final Task before;
    private final Instant now;
    private final List<TaskEvent> events = new ArrayList<>();

    TaskState state;

    @Nullable
    String message;

    @Nullable
    Progress progress;

    List<InputRequest> inputs;

    @Nullable
    Ending ending;

    @Nullable
    Lease lease;

    Attempts attempts;

    @Nullable
    Payload handle;

    Retention retention;

    NextTask(Task before, Instant now) {
        this.before = before;
        this.now = now;
        state = before.state();
        message = before.status().message();
        progress = before.status().progress();
        inputs = before.status().inputs();
        ending = before.ending();
        lease = before.execution().lease();
        attempts = before.execution().attempts();
        handle = before.execution().handle();
        retention = before.status().retention();
    }

    void happened(EventDetail what) {
        events.add(new TaskEvent(before.position().lastEvent() + events.size() + 1, now, what));
    }

    void end(Outcome outcome, boolean workEnded) {
        state = outcome.state();
        ending = new Ending(outcome, now, workEnded);
        happened(new EventDetail.Ended(outcome));
    }

    void countStart(Lease newLease, int crashes) {
        lease = newLease;
        attempts = attempts.again(crashes);
        happened(new EventDetail.Started(attempts.started()));
    }

    Decision.Accepted accept() {
        var status = new TaskStatus(state, message, progress, inputs, ending, retention);
        var position = TaskEvent.positionAfter(before.position(), events, now);
        var after = new Task(before.id(), before.spec(), status, new Execution(lease, attempts, handle), position);
        return new Decision.Accepted(after, events, Effect.between(before, after));
    }
}
