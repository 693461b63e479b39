// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.transition;

import io.longhaul.engine.task.Attempts;
import io.longhaul.engine.task.Ending;
import io.longhaul.engine.task.Happening;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskState;
import io.longhaul.engine.task.TaskStatus;
import io.longhaul.engine.task.Tenure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A mutable draft of the next snapshot. Only this class counts versions and events. */
final class Draft {

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

    Draft(Task before, Instant now) {
        this.before = before;
        this.now = now;
        state = before.state();
        message = before.status().message();
        progress = before.status().progress();
        inputs = before.status().inputs();
        ending = before.ending();
        lease = before.tenure().lease();
        attempts = before.tenure().attempts();
        handle = before.tenure().handle();
        retention = before.status().retention();
    }

    void happened(Happening what) {
        events.add(new TaskEvent(before.stamp().lastEvent() + events.size() + 1, now, what));
    }

    void end(Outcome outcome, boolean workEnded) {
        state = outcome.state();
        ending = new Ending(outcome, now, workEnded);
        happened(new Happening.Ended(outcome));
    }

    void countStart(Lease newLease, int crashes) {
        lease = newLease;
        attempts = new Attempts(attempts.started() + 1, attempts.crashes() + crashes);
        happened(new Happening.Started(attempts.started()));
    }

    Decision.Accepted accept() {
        var status = new TaskStatus(state, message, progress, inputs, ending, retention);
        var stamp = before.stamp().next(events, now);
        var after = new Task(before.id(), before.spec(), status, new Tenure(lease, attempts, handle), stamp);
        return new Decision.Accepted(after, events, Effect.between(before, after));
    }
}
