// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.attempt;

import io.longhaul.engine.children.Children;
import io.longhaul.engine.ledger.ChangeResult;
import io.longhaul.engine.ledger.Ledger;
import io.longhaul.engine.ledger.LiveTask;
import io.longhaul.engine.ledger.LiveTasks;
import io.longhaul.engine.node.EngineContext;
import io.longhaul.engine.node.FailureLog;
import io.longhaul.engine.node.StoreRetries;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.slot.RunSlot;
import io.longhaul.engine.slot.RunThread;
import io.longhaul.engine.slot.Slots;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskState;
import io.longhaul.engine.transition.Command;
import io.longhaul.engine.transition.Effect;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out the effects of durable changes: runs work, stops work, and forgets tasks that have ended. */
public final class Runner implements Ledger.Effects {

    private static final Logger LOG = LoggerFactory.getLogger(Runner.class);

    /** Longer than the pause before a retry of the write, which comes first. */
    private static final Duration SETTLE_AFTER = Duration.ofSeconds(2);

    private final Slots slots;
    private final Ledger ledger;
    private final QuestionDeadlines questioning;
    private final StoreRetries retries;
    private final UnofferedWork unoffered;
    private final Children children;

    private final Map<TaskId, LiveTask> active = new ConcurrentHashMap<>();

    private final EngineContext parts;
    private final LiveTasks tasks;
    private final Stopper stopper;
    private final TaskSleep sleep;
    private final TimeLimits limits;
    private final Consumer<LiveTask> broken;
    /** The tasks of which the log has said that they keep a drained node. */
    private final Set<TaskId> bound = ConcurrentHashMap.newKeySet();

    private volatile boolean closing;

    /** {@code broken} decides about a task where the store failed while its work ran. */
    public Runner(Children children, LiveTasks tasks, Lease lease, Slots slots, Consumer<LiveTask> broken) {
        this.children = children;
        parts = children.parts();
        this.tasks = tasks;
        this.broken = broken;
        retries = new StoreRetries(parts, () -> closing);
        unoffered = new UnofferedWork(parts);
        this.slots = slots;
        ledger = new Ledger(parts, this, lease);
        questioning = new QuestionDeadlines(parts, ledger, lease, retries);
        stopper = new Stopper(parts, ledger, lease, this);
        sleep = new TaskSleep(parts, questioning, this);
        limits = new TimeLimits(parts, this);
    }

    public Lease lease() {
        return ledger.lease();
    }

    public Slots slots() {
        return slots;
    }

    public Ledger ledger() {
        return ledger;
    }

    public StoreRetries retries() {
        return retries;
    }

    public UnofferedWork unoffered() {
        return unoffered;
    }

    public Children children() {
        return children;
    }

    public TimeLimits limits() {
        return limits;
    }

    /** The tasks whose work runs or is being stopped. */
    public Map<TaskId, LiveTask> active() {
        return active;
    }

    /** A live copy of a task that was created before. */
    public LiveTask live(Task task) {
        return new LiveTask(
                task.id(),
                task.owner(),
                parts.hooks().shares().apply(task.spec()),
                slot(task.id(), task.spec().work()),
                task);
    }

    /** A slot for a future attempt. */
    public RunSlot slot(TaskId task, String work) {
        return new RunSlot(slots, task, work);
    }

    public boolean isClosing() {
        return closing;
    }

    @Override
    public boolean runs(LiveTask live) {
        return tasks.get(live.id()) == live;
    }

    @Override
    public void prepare(LiveTask live, Set<Effect> effects) {
        if (effects.contains(Effect.RELEASE_OWNER) && runs(live)) {
            tasks.release(live);
        }
    }

    @Override
    public void follow(LiveTask live, Task task, Set<Effect> effects) {
        if (!runs(live)) {
            return;
        }
        boolean isOwn = lease().equals(task.execution().lease());
        if (!isOwn && task.execution().lease() != null) {
            lose(live);
            return;
        }
        // Not where another node began the attempt and has handed the task back since.
        if (effects.contains(Effect.RUN_WORK) && isOwn && task.ending() == null) {
            launch(live, task);
        }
        if (effects.contains(Effect.DELIVER_ANSWER)
                && !task.execution().attempts().awaitRetry()) {
            wake(live);
        }
        if (effects.contains(Effect.RELEASE_OWNER)) {
            live.timeout(null);
            live.endSleep();
            if (live.run() == null) {
                live.slot().release();
            }
        }
        if (effects.contains(Effect.STOP_WORK)) {
            stopper.stop(live);
        }
        if (effects.contains(Effect.FORGET)) {
            tasks.remove(live);
        }
    }

    @Override
    public void settleLater(LiveTask live) {
        if (runs(live)) {
            retries.later("settle-" + live.id(), () -> ledger.settle(live), SETTLE_AFTER);
        }
    }

    /** Removes a task that another node has now: this node must not write it any more. */
    private void lose(LiveTask live) {
        // model: lose
        var run = live.run();
        if (run != null) {
            run.thread().stop(RunThread.Stop.LOST);
            if (parts.others() != null) {
                parts.others().lost().add(live.id(), run.thread());
            }
        } else {
            // The slot was kept for a retry of the write, which comes no more.
            live.slot().release();
        }
        live.timeout(null);
        live.endSleep();
        boolean isHere = runs(live);
        tasks.remove(live);
        if (isHere && parts.others() != null) {
            parts.others().watched().adopt(live.id(), live.watchers());
        }
    }

    /** Begins no more tasks, and gives away the tasks that any node can continue. Running work goes on to its end. */
    public void drain() {
        slots.drain(true);
        parts.spread("drain", tasks.all().stream().filter(this::isForAnyNode).toList(), this::giveAway);
        tasks.all().stream()
                .filter(this::waitsHereOnly)
                .filter(live -> bound.add(live.id()))
                .forEach(live -> LOG.warn(
                        "Task {} of {} waits for an answer and cannot begin again at another node: an answer or a"
                                + " cancel lets this node go",
                        live.id(),
                        live.stored().spec().work()));
    }

    private boolean waitsHereOnly(LiveTask live) {
        var task = live.storedOrNull();
        return task != null && task.state() == TaskState.INPUT_REQUIRED && !isForAnyNode(live);
    }

    /** Whether another node can continue the task without loss: the work has not begun, or only waits for an answer. */
    private boolean isForAnyNode(LiveTask live) {
        var task = live.storedOrNull();
        return task != null
                && (task.state() == TaskState.SUBMITTED
                        || task.execution().attempts().awaitRetry()
                        || sleepsOver(live)
                        || isReattachedToItsWait(live, task));
    }

    /**
     * Whether a run waits for an answer, and another node would return to that wait. A job that only its node can find
     * asks before it begins, or after its result is recorded.
     */
    private boolean isReattachedToItsWait(LiveTask live, Task task) {
        var run = live.run();
        var work = workOf(live);
        return run != null
                && work != null
                && work.crashPolicy() == CrashPolicy.REATTACH
                && QuestionDeadlines.onlyWaits(task)
                && run.thread().onlyWaits();
    }

    /** Whether a run waits for an answer, with which another node can go on: that is given away, and not stopped. */
    public boolean waitsForAnyNode(LiveTask live) {
        var task = live.storedOrNull();
        return parts.others() != null && task != null && isReattachedToItsWait(live, task);
    }

    /** Gives a task that any node can continue to the others. */
    public void giveAway(LiveTask live) {
        live.exclusively(() -> {
            if (runs(live) && isForAnyNode(live)) {
                // model: give_away
                quietly(live, new Command.HandBack(false))
                        .filter(given -> !(given instanceof ChangeResult.Refused))
                        .ifPresent(given -> lose(live));
            }
        });
    }

    /** Gives up all tasks, because the lease is void. */
    public void loseAll() {
        closing = true;
        tasks.all().forEach(this::lose);
    }

    private void launch(LiveTask live, Task task) {
        if (task.execution().attempts().started() == 1) {
            live.firstStart(task.position().updatedAt());
        }
        live.endSleep();
        var control = control(live);
        live.run(control);
        active.put(live.id(), live);
        limits.arm(live);
        limits.armIdle(live, control);
        if (closing) {
            control.thread().stop(closingStop(live));
        }
        parts.fork("task-" + live.id(), () -> body(live, control));
    }

    RunControl control(LiveTask live) {
        return new RunControl(live, parts, ledger, questioning, children);
    }

    /**
     * The work of a task: that with which its attempt has begun, whatever is offered in its place since; where no
     * attempt runs, that of the next one. Null where it is not offered.
     */
    public @Nullable Work workOf(LiveTask live) {
        var run = live.run();
        return run == null ? parts.works().get(live.stored().spec().work()) : run.work();
    }

    /** The reason for a run to stop when the server stops: only work that is taken up again is handed back. */
    RunThread.Stop closingStop(LiveTask live) {
        Work work = workOf(live);
        return work == null || work.crashPolicy() == CrashPolicy.FAIL
                ? RunThread.Stop.CLOSING
                : RunThread.Stop.HANDING_BACK;
    }

    /** The priority of the work of a task among those that wait. */
    public int priority(LiveTask live) {
        var work = workOf(live);
        return work == null ? 0 : work.bounds().priority();
    }

    /** The reason of a cancel with what the backend of the task adds. */
    public @Nullable String cancelled(LiveTask live, @Nullable String reason) {
        var work = workOf(live);
        var run = live.run();
        return work == null || run == null
                ? reason
                : TimeLimits.asked(live, reason, () -> work.backend().cancelled(run, reason));
    }

    private void body(LiveTask live, RunControl control) {
        boolean stopped = false;
        try {
            Work work = Objects.requireNonNull(control.work());
            switch (AttemptResult.of(work.backend(), control)) {
                case AttemptResult.Ended ended ->
                    retries.now("end-" + live.id(), () -> end(live, control, ended.outcome()));
                case AttemptResult.Stopped s -> stopped = true;
                case AttemptResult.Broken b -> {
                    FailureLog.error(
                            LOG, b.why(), "The store failed under task {}; its crash policy decides", live.id());
                    retries.later("broken-" + live.id(), () -> broken.accept(live));
                }
            }
        } catch (Throwable e) {
            LOG.error("Task {} was left behind; the next start decides", live.id(), e);
        } finally {
            leave(live, control, stopped);
        }
    }

    private void end(LiveTask live, RunControl control, Outcome outcome) {
        // model: finish
        var retry = control.retry();
        var end = retry == null ? new Command.Finish(outcome, !control.hasChildren()) : retry;
        var changed = ledger.change(live, end, lease());
        if (changed instanceof ChangeResult.Fenced || changed instanceof ChangeResult.Missing) {
            // model: finish_lost
            LOG.warn("Task {} ended here after another node had taken it: its outcome is dropped", live.id());
            control.thread().stop(RunThread.Stop.LOST);
            lose(live);
        } else {
            live.exclusively(() -> {
                // The attempt has left before, where the store has failed meanwhile.
                if (live.run() == null && live.stored().execution().attempts().awaitRetry()) {
                    sleep(live);
                }
            });
        }
    }

    private void leave(LiveTask live, RunControl control, boolean stopped) {
        control.idle().stop();
        try {
            live.exclusively(() -> leaveTask(live, control, stopped));
        } finally {
            control.thread().done();
            if (parts.others() != null) {
                parts.others().lost().ended(live.id(), control.thread());
            }
        }
    }

    private void leaveTask(LiveTask live, RunControl control, boolean stopped) {
        var stop = control.thread().stop();
        boolean toHandBack = stopped && stop == RunThread.Stop.HANDING_BACK;
        if (live.run() == control && !toHandBack) {
            live.run(null);
        }
        if (!live.isStopping()) {
            control.slot().release();
            active.remove(live.id(), live);
        }
        if (control.thread().stop() == RunThread.Stop.LOST) {
            lose(live);
        } else if (stopped && stop == RunThread.Stop.SUSPENDED
                || live.stored().execution().attempts().awaitRetry()) {
            sleep(live);
        }
    }

    /** Starts the work of a task as soon as a slot is free. Does not block. */
    public void queue(LiveTask live, Command start) {
        Task task = live.stored();
        int before = task.execution().attempts().started();
        String name = "start-" + live.id();
        var slot = slot(task.id(), task.spec().work());
        live.slot(slot);
        slot.await(
                !(start instanceof Command.Start), () -> !live.stored().state().isTerminal(), () -> {
                    parts.fork(name, () -> retries.now(name, () -> start(live, slot, start, before)));
                    // An attempt of which this node has only now learned that it began may wait for this slot.
                    live.watchers().wakeAll();
                });
    }

    /**
     * Begins the attempt after {@code before} earlier attempts, once. While the store fails the slot stays taken: the
     * attempt may have been stored, and then the work starts when the task is read again.
     */
    private void start(LiveTask live, RunSlot slot, Command start, int before) {
        live.exclusively(() -> {
            // model: start
            Task task = ledger.settle(live);
            if (!closing && task != null && task.execution().attempts().started() == before) {
                ledger.change(live, start, lease());
            }
        });
        var run = live.run();
        if (run == null || run.slot() != slot) {
            slot.release();
        }
    }

    /** Leaves a task without a thread until an answer comes, or until the time of its retry. */
    public void sleep(LiveTask live) {
        sleep.begin(live);
    }

    void wake(LiveTask live) {
        if (live.rouse()) {
            queue(live, new Command.StartAgain(lease(), Command.StartAgain.Why.TAKEN_UP));
        }
    }

    /** Carries out a command of the engine that may come too late; empty where the store failed. */
    public Optional<ChangeResult> quietly(LiveTask live, Command command) {
        try {
            return Optional.of(ledger.change(live, command, lease()));
        } catch (StoreException e) {
            FailureLog.error(LOG, e, "{} of task {} could not be stored", command.name(), live.id());
            return Optional.empty();
        }
    }

    /** Continues to stop the work of a task that had ended before this start of the engine. */
    public void stop(LiveTask live) {
        live.exclusively(() -> stopper.stop(live));
    }

    /**
     * Starts no more work, and asks all running work to stop, except where its thread only waits for an answer, with
     * which it would get no slot. The record of a task does not tell that: a thread may work until it comes to a
     * question of an earlier attempt, or beside one that asks.
     */
    public void beginClosing() {
        closing = true;
        slots.close();
        for (LiveTask live : tasks.all()) {
            var run = live.run();
            if (sleepsOver(live) && (run == null || run.thread().onlyWaits()) || waitsForAnyNode(live)) {
                continue;
            }
            if (run != null) {
                run.thread().stop(closingStop(live));
            }
            live.watchers().wakeAll();
        }
    }

    /** Whether a task only waits for an answer, and would do so after a restart too, so that a stop loses nothing. */
    public boolean sleepsOver(LiveTask live) {
        Task task = live.storedOrNull();
        Work work = task == null ? null : workOf(live);
        return work != null && work.crashPolicy() == CrashPolicy.RESTART && QuestionDeadlines.onlyWaits(task);
    }
}
