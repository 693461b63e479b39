// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.recovery;

import io.longhaul.engine.attempt.Deadlines;
import io.longhaul.engine.attempt.QuestionDeadlines;
import io.longhaul.engine.attempt.Replay;
import io.longhaul.engine.attempt.Runner;
import io.longhaul.engine.ledger.LiveTask;
import io.longhaul.engine.ledger.LiveTasks;
import io.longhaul.engine.node.EngineContext;
import io.longhaul.engine.node.FailureLog;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.SharedTasks;
import io.longhaul.engine.store.SharedTasks.News;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreFullException;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.engine.transition.Command;
import io.longhaul.engine.transition.Command.StartAgain.Why;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over every task whose work has not ended, and decides how the task goes on. The engine takes tasks over before
 * it is ready. Decisions that need commits or reads follow in the background, on several threads, so that their commits
 * are grouped.
 */
public record Recovery(EngineContext parts, LiveTasks tasks, Runner runner) {

    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final int BATCH = 2_000;
    private static final int BEYOND_ROOM = 100;

    /**
     * A task, and its snapshot as the dead server left it: later changes, such as an answer, do not belong to the
     * crash.
     */
    private record Found(LiveTask live, Task task) {}

    /**
     * Takes all tasks over. On a full disk tasks are read as the last server left them, and taken over when there is
     * room.
     */
    public void run() {
        try {
            takeOver();
        } catch (StoreFullException e) {
            LOG.warn("The disk is full: unfinished tasks are taken over when there is room");
            runner.retries().later("take-over", this::takeOver);
        }
    }

    private void takeOver() {
        var claimed = new ArrayList<Found>();
        try {
            claimInto(claimed);
        } finally {
            takeUp(claimed);
        }
    }

    /**
     * Takes over tasks that no node has, for the free slots and some more: tasks that only wait for an answer, and
     * tasks that must fail, need no slot.
     *
     * @param share the most tasks to take
     * @return whether there may be more
     */
    public boolean takeFree(SharedTasks shared, int share) {
        int most = Math.min(share, runner.slots().room() + BEYOND_ROOM);
        var batch = new ArrayList<Task>();
        for (var works : worksByPriority()) {
            batch.addAll(shared.claim(
                    runner.lease(),
                    wanted(works),
                    most - batch.size(),
                    parts.time().now()));
        }
        takeUpOldestFirst(batch.stream());
        return batch.size() == most;
    }

    /** What a poll would find, as {@link SharedTasks#news} says. */
    public News news(SharedTasks shared, int nodes) {
        var works = worksByPriority().stream().flatMap(List::stream).toList();
        return shared.news(runner.lease(), nodes, wanted(works));
    }

    /** The works that this node runs, those with the greatest priority first; at least one list. */
    private Collection<List<Work>> worksByPriority() {
        var works = new TreeMap<Integer, List<Work>>(Comparator.reverseOrder());
        for (var work : parts.works().values()) {
            if (parts.runs(work.name())) {
                works.computeIfAbsent(work.bounds().priority(), key -> new ArrayList<>())
                        .add(work);
            }
        }
        return works.isEmpty() ? List.of(List.of()) : works.values();
    }

    /** Takes up the tasks of an earlier claim that the store carried out and could not confirm. */
    public void takeUnconfirmed(SharedTasks shared) {
        // model: take_unconfirmed
        takeUpOldestFirst(shared.held(runner.lease()).stream()
                .filter(id -> tasks.get(id) == null)
                .flatMap(id -> parts.store().find(id).stream())
                // The work of a task that is live no more has ended since the list was read.
                .filter(task -> runner.lease().equals(task.execution().lease()) && !task.hasEndedWork()));
    }

    /** Tasks of one owner begin in the order of their creation, whatever their work. */
    private void takeUpOldestFirst(Stream<Task> claimed) {
        takeUp(claimed.sorted(Comparator.comparing(Task::id)).map(this::found).toList());
    }

    private SharedTasks.Wanted wanted(List<Work> offered) {
        var works = new HashSet<String>();
        var bound = new HashSet<String>();
        for (var work : offered) {
            works.add(work.name());
            if (work.isBoundToNode()) {
                bound.add(work.name());
            }
        }
        return new SharedTasks.Wanted(works, bound, parts.limits().nodeLostAfter());
    }

    private void takeUp(List<Found> claimed) {
        var slow = claimed.stream()
                .sorted(Comparator.comparingInt(found -> -runner.priority(found.live())))
                .filter(found -> !startsFirst(found))
                .toList();
        parts.spread("recovery", slow, this::take);
    }

    /** Queues a task that has never run; false for any other. */
    private boolean startsFirst(Found found) {
        boolean is = found.live().stored().state() == TaskState.SUBMITTED && work(found.task()) != null;
        if (is) {
            var live = found.live();
            tasks.onTurn(live, runner.priority(live), () -> runner.queue(live, new Command.Start(runner.lease())));
        }
        return is;
    }

    private void claimInto(List<Found> all) {
        while (true) {
            var batch = parts.store().claim(runner.lease(), BATCH, parts.time().now());
            if (batch.isEmpty()) {
                return;
            }
            batch.forEach(task -> all.add(found(task)));
        }
    }

    private Found found(Task task) {
        // model: take_up
        var live = runner.live(task);
        tasks.add(live);
        if (task.ending() == null) {
            tasks.found(live, task.state() != TaskState.SUBMITTED || task.spec().parent() != null);
        }
        return new Found(live, task);
    }

    private void take(Found found) {
        var live = found.live();
        if (runner.isClosing() || live.storedOrNull() == null) {
            return;
        }
        try {
            recover(live, found.task());
        } catch (StoreException e) {
            FailureLog.error(LOG, e, "Task {} could not be taken up again; it is tried again", live.id());
            runner.retries().later("recover-" + live.id(), () -> retake(live));
        } catch (RuntimeException e) {
            LOG.error("Task {} could not be taken up again; it stays for the next start", live.id(), e);
        }
    }

    /** Decides about a task that has waited for its work to be offered; the task may have been cancelled meanwhile. */
    private void decide(Found found) {
        var live = found.live();
        if (live.storedOrNull() != null && live.stored().ending() == null && !startsFirst(found)) {
            take(found);
        }
    }

    /**
     * Decides about a task that has lost its run while the server goes on, as about a task of a dead server.
     *
     * @throws StoreException when the storage fails
     */
    public void retake(LiveTask live) {
        Task task = runner.ledger().settle(live);
        if (task != null && task.ending() == null) {
            recover(live, task);
        }
    }

    private void recover(LiveTask live, Task task) {
        if (task.ending() != null) {
            runner.stop(live);
            return;
        }
        var found = new Found(live, task);
        if (work(task) == null && runner.unoffered().await(task.spec().work(), () -> decide(found))) {
            return;
        }
        // Read again: the work may have been offered in between.
        Work work = work(task) == null ? leftWork(task) : work(task);
        if (work == null) {
            giveUp(
                    live,
                    "The server was restarted, and does not offer '"
                            + task.spec().work() + "' any more.",
                    !runner.children().any(task));
            return;
        }
        if (startsFirst(found)) {
            return;
        }
        if (isOverdue(live)) {
            runner.limits().timeOut(live, work);
            return;
        }
        runner.limits().arm(live);
        if (task.execution().attempts().awaitRetry()) {
            runner.sleep(live);
            return;
        }
        switch (work.crashPolicy()) {
            case FAIL ->
                giveUp(
                        live,
                        "The server stopped while the work ran. It was not run again, and may be half done.",
                        false);
            case RESTART -> restart(live, task);
            case REATTACH -> again(live, wasHandedBack(task) ? Why.TAKEN_UP : Why.REATTACHED);
        }
    }

    /** Work that only follows the jobs that it finds; null where there can be none. */
    private @Nullable Work leftWork(Task task) {
        var backend = parts.hooks().leftJobs();
        if (backend == null || task.execution().handle() == null) {
            return null;
        }
        var name = task.spec().work();
        LOG.warn("'{}' is not offered any more: its jobs that are found are followed to their ends", name);
        var work = new Work(name, backend, CrashPolicy.REATTACH, null, Integer.MAX_VALUE);
        runner.slots().offer(work);
        parts.works().putIfAbsent(name, work);
        return work(task);
    }

    private boolean isOverdue(LiveTask live) {
        var deadline = Deadlines.of(live, runner.workOf(live), parts.store());
        return deadline != null && !deadline.isAfter(parts.time().now());
    }

    private void restart(LiveTask live, Task task) {
        if (QuestionDeadlines.onlyWaits(task)) {
            runner.sleep(live);
        } else if (wasHandedBack(task) || hasUnusedAnswer(task)) {
            again(live, Why.TAKEN_UP);
        } else if (runner.children().anyLive(task)) {
            again(live, Why.REATTACHED);
        } else if (task.execution().attempts().crashes() >= parts.limits().crashAttempts()) {
            int crashes = task.execution().attempts().crashes() + 1;
            giveUp(
                    live,
                    "The server stopped while the work ran, " + crashes
                            + " times since the work last recorded anything new; it is not run again.",
                    false);
        } else {
            again(live, Why.CRASHED);
        }
    }

    private void again(LiveTask live, Why why) {
        runner.queue(live, new Command.StartAgain(runner.lease(), why));
    }

    private void giveUp(LiveTask live, String message, boolean workEnded) {
        var outcome = new Outcome.Failed(FailureReason.INTERRUPTED, message);
        runner.ledger().change(live, new Command.GiveUp(outcome, workEnded), runner.lease());
    }

    private boolean wasHandedBack(Task task) {
        return Replay.wasHandedBack(parts.store(), task.id(), task.position().lastEvent());
    }

    /**
     * Whether the task has an answer for which it may only have waited for a slot: it has recorded nothing since. Where
     * it has worked with the answer, and so ended the server, that counts as a crash from the next attempt on.
     */
    private boolean hasUnusedAnswer(Task task) {
        return Replay.endsWithAnswer(parts.store(), task.id(), task.position().lastEvent());
    }

    private @Nullable Work work(Task task) {
        return parts.works().get(task.spec().work());
    }
}
