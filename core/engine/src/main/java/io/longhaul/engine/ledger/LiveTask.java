// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.ledger;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.slot.RunSlot;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskStatus;
import io.longhaul.engine.transition.Command;
import io.longhaul.engine.transition.Transitions;
import io.longhaul.engine.watch.Watchers;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * This node's authoritative copy of a task whose work has not ended. Snapshots are read without a lock; a writer holds
 * {@link #writing}, during the commit too.
 */
public final class LiveTask {

    private final TaskId id;
    private final Owner owner;
    private final String share;
    final ReentrantLock writing = new ReentrantLock();
    private final Watchers watchers = new Watchers();

    /** Opens when the first try to stop the work has ended; null before a thread stops the work. */
    private final AtomicReference<@Nullable CountDownLatch> stopping = new AtomicReference<>();

    /** The attempt that runs, or null. Written under {@link #writing}. */
    private volatile @Nullable LiveRun run;

    private volatile RunSlot slot;

    /** Whether a commit failed, so that it is not known which snapshot the store has. */
    volatile boolean unsure;

    /** Whether the task counts against its share: as long as it has not ended and this node has it. */
    final AtomicBoolean counted;

    /** Whether the task has a turn among the tasks of its share. Written by {@link LiveTasks}. */
    volatile boolean hasTurn;

    private volatile @Nullable Task stored;
    private volatile Command.@Nullable Report latest;
    private Command.@Nullable Report unsaved;
    private @Nullable Instant firstStart;
    private TaskTime.@Nullable Alarm timeout;
    private List<TaskTime.Alarm> deadlines = List.of();
    private boolean asleep;
    private boolean roused;

    public LiveTask(TaskId id, Owner owner, String share, RunSlot slot, @Nullable Task stored) {
        this.id = id;
        this.owner = owner;
        this.share = share;
        this.slot = slot;
        this.stored = stored;
        counted = new AtomicBoolean(stored == null || stored.ending() == null);
    }

    public TaskId id() {
        return id;
    }

    public Owner owner() {
        return owner;
    }

    /** The group of live tasks that the task counts with. */
    public String share() {
        return share;
    }

    public Watchers watchers() {
        return watchers;
    }

    /** The attempt that runs, or null. */
    public @Nullable LiveRun run() {
        return run;
    }

    /** Called by {@link #exclusively}, or with the lock of a commit held. */
    public void run(@Nullable LiveRun now) {
        run = now;
    }

    /** The slot of the latest attempt, or of the next one. */
    public RunSlot slot() {
        return slot;
    }

    public void slot(RunSlot next) {
        slot = next;
    }

    /** Whether no thread was stopping the work before; the caller stops it then. */
    public boolean beginStop() {
        return stopping.compareAndSet(null, new CountDownLatch(1));
    }

    public boolean isStopping() {
        return stopping.get() != null;
    }

    /** The first try to stop the work has ended, whether that has stopped or not. Does nothing when called again. */
    public void stopTried() {
        Objects.requireNonNull(stopping.get()).countDown();
    }

    /** Blocks while a thread tries to stop the work for the first time. */
    public void awaitStop() throws InterruptedException {
        var tried = stopping.get();
        if (tried != null) {
            tried.await();
        }
    }

    /** Runs an action while no other thread writes the task. */
    public void exclusively(Runnable action) {
        writing.lock();
        try {
            action.run();
        } finally {
            writing.unlock();
        }
    }

    /** Whether the task counts with all tasks of its owner, and not with the tasks of one anonymous caller. */
    public boolean isOfOwner() {
        return share.equals(owner.value());
    }

    /** The snapshot last committed; null while the creation is not durable. */
    public @Nullable Task storedOrNull() {
        return stored;
    }

    /** Whether the snapshot in memory may differ from the store's: a commit has failed, or the creation is pending. */
    public boolean isUnsettled() {
        return unsure || stored == null;
    }

    public Task stored() {
        Task task = stored;
        if (task == null) {
            throw new IllegalStateException("task " + id + " is not yet created");
        }
        return task;
    }

    /** The snapshot last committed, with the reports since then; null while the creation is not durable. */
    public @Nullable Task shown() {
        Task task = stored;
        Command.Report report = latest;
        if (task == null || report == null || task.state().isTerminal()) {
            return task;
        }
        var s = task.status();
        Progress progress = report.progress() == null ? s.progress() : report.progress();
        String message = report.message() == null ? s.message() : report.message();
        var status = new TaskStatus(s.state(), message, progress, s.inputs(), s.ending(), s.retention());
        return new Task(task.id(), task.spec(), status, task.execution(), task.position());
    }

    /** @param events the events of the commit; empty where the snapshot was read from the store */
    void publish(Task committed, List<TaskEvent> events) {
        stored = committed;
        watchers.changed(committed, events);
    }

    /** Takes in a report that shows at once and is stored later; false where the report has nothing new. */
    public synchronized boolean note(@Nullable Progress progress, @Nullable String message) {
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

    public synchronized Command.@Nullable Report takeUnsaved() {
        Command.Report report = unsaved;
        unsaved = null;
        return report;
    }

    /** Gives back a report that could not be stored; a newer report takes precedence. */
    public synchronized void putBack(Command.@Nullable Report report) {
        if (report != null) {
            Command.Report newer = unsaved;
            unsaved = newer == null ? report : merged(report, newer.progress(), newer.message());
        }
    }

    public synchronized @Nullable Instant firstStart() {
        return firstStart;
    }

    public synchronized void firstStart(Instant at) {
        firstStart = at;
    }

    /**
     * Marks the task as one that waits for an answer without a thread.
     *
     * @param alarms the alarms of its questions
     */
    public synchronized void sleep(List<TaskTime.Alarm> alarms) {
        asleep = true;
        deadlines = alarms;
    }

    /** Ends the wait without a thread; false where the task has not waited so. The next attempt may need a slot yet. */
    public synchronized boolean rouse() {
        boolean was = asleep;
        asleep = false;
        roused |= was;
        return was;
    }

    /** Whether the task has its answer and waits for its next attempt, so that no attempt is cut short. */
    public synchronized boolean isRoused() {
        return roused;
    }

    /** Cancels what was set for the wait without a thread: an attempt begins, or this node has nothing more to do. */
    public synchronized void endSleep() {
        asleep = false;
        roused = false;
        deadlines.forEach(TaskTime.Alarm::cancel);
        deadlines = List.of();
    }

    public synchronized void timeout(TaskTime.@Nullable Alarm alarm) {
        if (timeout != null) {
            timeout.cancel();
        }
        timeout = alarm;
    }
}
