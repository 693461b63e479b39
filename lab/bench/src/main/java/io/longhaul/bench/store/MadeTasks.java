// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.store;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Attempts;
import io.longhaul.engine.task.Ending;
import io.longhaul.engine.task.Execution;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskPosition;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.engine.task.TaskState;
import io.longhaul.engine.task.TaskStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Makes tasks for a store, with a request of 600 bytes. */
public final class MadeTasks {

    private static final int REQUEST_BYTES = 600;
    private static final Instant NOW = Instant.now();

    private MadeTasks() {}

    /** The {@code number}th id; they sort by their numbers. */
    public static TaskId id(long number) {
        var digits = Long.toString(number, 32);
        return new TaskId("0".repeat(TaskId.LENGTH - digits.length()) + digits);
    }

    /** The change of a creation with a free slot: the task, its claim and its first two events. */
    public static Change creation(TaskId id, Lease lease) {
        var request = Payload.of(new byte[REQUEST_BYTES]);
        var spec = new TaskSpec(Owner.LOCAL, "bench", request, Payload.EMPTY, null, NOW);
        var retention = Retention.fromCreation(Duration.ofDays(1));
        var status = new TaskStatus(TaskState.WORKING, null, null, List.of(), null, retention);
        var execution = new Execution(lease, new Attempts(1, 0), null);
        var events = List.of(
                new TaskEvent(1, NOW, new EventDetail.Created()), new TaskEvent(2, NOW, new EventDetail.Started(1)));
        return new Change(null, new Task(id, spec, status, execution, new TaskPosition(1, 2, NOW)), events, lease);
    }

    /** The change that ends such a task. */
    public static Change end(Task task, Lease lease) {
        var outcome = new Outcome.Result(Payload.ofText("{}"), false);
        var before = task.status();
        var status = new TaskStatus(
                TaskState.COMPLETED, null, null, List.of(), new Ending(outcome, NOW, true), before.retention());
        var events = List.of(new TaskEvent(task.position().lastEvent() + 1, NOW, new EventDetail.Ended(outcome)));
        var after = new Task(
                task.id(),
                task.spec(),
                status,
                task.execution(),
                TaskEvent.positionAfter(task.position(), events, NOW));
        return new Change(task, after, events, lease);
    }

    public static void commit(TaskStore store, Change change) {
        if (!(store.commit(change) instanceof CommitResult.Committed)) {
            throw new IllegalStateException("not committed: " + change);
        }
    }
}
