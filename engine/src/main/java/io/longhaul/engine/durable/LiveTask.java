// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskStatus;
import io.longhaul.engine.transition.Command;
import io.longhaul.engine.transition.Transitions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * This node's authoritative copy of a task whose work has not ended. Snapshots are read without a lock; whoever writes
 * holds {@link #writing}, over the commit too.
 */
final class LiveTask {

    final TaskId id;
    final Owner owner;
    /** Whose live tasks it is counted with. */
    final String share;

    final ReentrantLock writing = new ReentrantLock();
    final Watchers watchers = new Watchers();

    /** It waits for an answer without a thread, since a restart. */
    final AtomicBoolean dormant = new AtomicBoolean();

    /** A thread is stopping its work already. */
    final AtomicBoolean stopping = new AtomicBoolean();

    /** The attempt that runs, or null. Written under {@link #writing}. */
    volatile @Nullable RunControl run;

    /** The slot of its latest attempt, or of the one that is to come. */
    volatile RunSlot slot;

    /** A commit failed, so it is not known which snapshot the store has. */
    volatile boolean unsure;

    /** Whether it counts against its share: as long as it has not ended and is this node's. */
    final AtomicBoolean counted;

    /** It is its turn, of the tasks of its share. Written by {@link LiveTasks}. */
    volatile boolean hasTurn;

    private volatile @Nullable Task stored;
    private volatile Command.@Nullable Report latest;
    private Command.@Nullable Report unsaved;
    private @Nullable Instant firstStart;
    private TaskTime.@Nullable Alarm timeout;

    LiveTask(TaskId id, Owner owner, String share, RunSlot slot, @Nullable Task stored) {
        this.id = id;
        this.owner = owner;
        this.share = share;
        this.slot = slot;
        this.stored = stored;
        counted = new AtomicBoolean(stored == null || stored.ending() == null);
    }

    /** Whether it counts with all tasks of its owner, and not with those of one anonymous caller. */
    boolean isOfOwner() {
        return share.equals(owner.value());
    }

    /** The snapshot last committed; null while the creation is not durable. */
    @Nullable
    Task storedOrNull() {
        return stored;
    }

    /** A commit is on its way or has failed, so that the snapshot in memory may not be that of the store. */
    boolean isUnsettled() {
        return unsure || stored == null;
    }

    Task stored() {
        Task task = stored;
        if (task == null) {
            throw new IllegalStateException("task " + id + " is not yet created");
        }
        return task;
    }

    /** The snapshot last committed with what was reported since; null while the creation is not durable. */
    @Nullable
    Task shown() {
        Task task = stored;
        Command.Report report = latest;
        if (task == null || report == null || task.state().isTerminal()) {
            return task;
        }
        var s = task.status();
        Progress progress = report.progress() == null ? s.progress() : report.progress();
        String message = report.message() == null ? s.message() : report.message();
        var status = new TaskStatus(s.state(), message, progress, s.inputs(), s.ending(), s.retention());
        return new Task(task.id(), task.spec(), status, task.tenure(), task.stamp());
    }

    /** @param events what was committed with it; none where another commit was found in the store */
    void publish(Task committed, List<TaskEvent> events) {
        stored = committed;
        watchers.changed(committed, events);
    }

    /** Takes in a report that shows at once and is stored later; false where it says nothing new. */
    synchronized boolean note(@Nullable Progress progress, @Nullable String message) {
        Command.Report before = latest;
        Progress last = before != null && before.progress() != null
                ? before.progress()
                : stored().status().progress();
        Progress accepted = progress != null && Transitions.advances(last, progress) ? progress : null;
        if (accepted == null && message == null) {
            return false;
        }
        latest = merged(before, accepted, message);
        unsaved = merged(unsaved, accepted, message);
        return true;
    }

    private static Command.Report merged(
            Command.@Nullable Report before, @Nullable Progress progress, @Nullable String message) {
        if (before == null) {
            return new Command.Report(progress, message);
        }
        return new Command.Report(
                progress == null ? before.progress() : progress, message == null ? before.message() : message);
    }

    synchronized Command.@Nullable Report takeUnsaved() {
        Command.Report report = unsaved;
        unsaved = null;
        return report;
    }

    /** Gives back what could not be stored; a newer report goes first. */
    synchronized void putBack(Command.@Nullable Report report) {
        if (report != null) {
            Command.Report newer = unsaved;
            unsaved = newer == null ? report : merged(report, newer.progress(), newer.message());
        }
    }

    synchronized @Nullable Instant firstStart() {
        return firstStart;
    }

    synchronized void firstStart(Instant at) {
        firstStart = at;
    }

    synchronized void timeout(TaskTime.@Nullable Alarm alarm) {
        if (timeout != null) {
            timeout.cancel();
        }
        timeout = alarm;
    }
}
