// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.lease;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskEngine.Creation;
import io.longhaul.engine.TaskWatcher;
import io.longhaul.engine.attempt.Runner;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.ledger.LiveTask;
import io.longhaul.engine.ledger.LiveTasks;
import io.longhaul.engine.node.EngineContext;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreFullException;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.engine.task.TaskState;
import io.longhaul.engine.transition.Carried;
import io.longhaul.engine.transition.Command;
import io.longhaul.engine.transition.Decision;
import io.longhaul.engine.transition.Transitions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates tasks, with one commit each; the commit also counts the first attempt where a slot is free. */
public record Creations(EngineContext parts, LiveTasks tasks, Runner runner, TaskEngine finder) {

    private static final Logger LOG = LoggerFactory.getLogger(Creations.class);
    private static final Duration SETTLE_AFTER = Duration.ofSeconds(1);

    /**
     * A task to be created.
     *
     * @param share the group of live tasks that the task counts with
     */
    public record Wanted(Creation creation, String share, Carried carried) {

        private Owner owner() {
            return creation.owner();
        }
    }

    public Created create(Wanted wanted) throws LostLeaseException {
        var share = wanted.share();
        // A share that is not an owner belongs to an anonymous caller: the store has no such shares.
        boolean isShared = parts.others() != null && share.equals(wanted.owner().value());
        Created created;
        do {
            boolean isWithin = isShared ? reserve(wanted) : tasks.reserve(share, tasks.most());
            created = isWithin || !isShared ? created(wanted, isWithin) : createBeyondPart(wanted);
        } while (created == null);
        return created;
    }

    /** Reserves one of the tasks that this node creates without asking other nodes, or that they have left to it. */
    private boolean reserve(Wanted wanted) {
        var share = wanted.share();
        return parts.runs(wanted.creation().work())
                ? tasks.reserve(share, tasks.part())
                : tasks.reserveElsewhere(share, 0) || tasks.reserveElsewhere(share, tasks.part(left(wanted)));
    }

    /** How many more live tasks the owner may have: this node does not count what it leaves to other nodes. */
    private int left(Wanted wanted) {
        var others = Objects.requireNonNull(parts.others());
        return tasks.most() - others.liveElsewhere(wanted.owner(), runner.lease());
    }

    /**
     * Creates a task of a share that has used up this node's part of the limit. Such creations take turns for each
     * share: the tasks that other nodes cannot see yet never exceed this node's part, and no node exceeds what the
     * parts of the others leave.
     */
    private @Nullable Created createBeyondPart(Wanted wanted) throws LostLeaseException {
        var share = wanted.share();
        if (tasks.isFull(share)) {
            return created(wanted, false);
        }
        var turn = Objects.requireNonNull(parts.others()).creating(share);
        turn.lock();
        try {
            return created(wanted, tasks.reserve(share, left(wanted)));
        } finally {
            turn.unlock();
        }
    }

    /** Null where the creation must be tried again. */
    private @Nullable Created created(Wanted wanted, boolean isReserved) throws LostLeaseException {
        var creation = wanted.creation();
        if (!isReserved) {
            var same = createdBefore(creation);
            return same == null ? new Created.TooManyLive(tasks.most()) : same;
        }
        var live = live(wanted);
        var decision = decide(wanted, live);
        CommitResult result;
        try {
            result = commit(creation, live, decision);
        } catch (StoreException e) {
            return whileStoreFails(creation, live, e);
        }
        return switch (result) {
            case CommitResult.Committed c -> {
                queueIfSubmitted(live);
                // Not the live snapshot: the work may have gone on by now, and a follower of the task must see those
                // changes.
                yield new Created.New(decision.after());
            }
            case CommitResult.KeyTaken taken -> {
                var existing = finder.find(creation.owner(), taken.existing());
                if (existing.isEmpty()) {
                    // The retention of the task is over and the sweep has not run yet: the key is free again.
                    parts.store().remove(taken.existing());
                }
                yield existing.map(task -> same(creation, task)).orElse(null);
            }
            case CommitResult.Stale s -> {
                LOG.warn("Task id {} was given before; another one is tried", live.id());
                yield null;
            }
            case CommitResult.Fenced f -> throw new LostLeaseException();
            case CommitResult.Missing m -> throw new StoreException("the store refused a new task: " + result);
        };
    }

    private LiveTask live(Wanted wanted) {
        var id = parts.hooks().ids().next(parts.time().now());
        return new LiveTask(
                id,
                wanted.owner(),
                wanted.share(),
                runner.slot(id, wanted.creation().work()),
                null);
    }

    private Decision.Accepted decide(Wanted wanted, LiveTask live) {
        var creation = wanted.creation();
        var now = parts.time().now();
        var spec = new TaskSpec(
                creation.owner(), creation.work(), creation.request(), creation.source(), creation.creationKey(), now);
        var asked = creation.retention();
        var retention = asked == null ? parts.limits().unasked() : asked;
        if (!parts.runs(creation.work())) {
            return Transitions.create(live.id(), spec, retention, wanted.carried(), null, false);
        }
        boolean hasTurn = spec.parent() == null ? tasks.tryTurn(live) : tasks.takeTurn(live);
        boolean startsNow = hasTurn && live.slot().tryTake();
        return Transitions.create(live.id(), spec, retention, wanted.carried(), runner.lease(), startsNow);
    }

    private CommitResult commit(Creation creation, LiveTask live, Decision.Accepted decision) {
        if (decision.after().execution().lease() == null) {
            return commitElsewhere(live, decision);
        }
        tasks.add(live);
        try {
            // model: create
            var result = runner.ledger().create(live, decision);
            if (!(result instanceof CommitResult.Committed)) {
                undo(live);
            }
            return result;
        } catch (StoreFullException e) {
            undo(live);
            throw e;
        } catch (StoreException e) {
            LOG.warn("It is not known whether task {} was stored; that is found out", live.id());
            settleLater(live, creation);
            throw e;
        }
    }

    /**
     * Stores a task that another node will claim. Only this node knows shares that are not owners: there the task
     * counts until it has ended.
     */
    private CommitResult commitElsewhere(LiveTask live, Decision.Accepted decision) {
        boolean counts = false;
        try {
            // model: create
            var result = runner.ledger().create(live, decision);
            counts = result instanceof CommitResult.Committed && !live.isOfOwner();
            return result;
        } finally {
            if (counts) {
                Objects.requireNonNull(parts.others()).watched().add(live.id(), new Counted(tasks, live));
            } else {
                undo(live);
            }
        }
    }

    /** Counts a task of another node until the task has ended. */
    private record Counted(LiveTasks tasks, LiveTask live) implements TaskWatcher {

        @Override
        public void changed(Task now, List<TaskEvent> events) {
            if (now.state().isTerminal()) {
                removed();
            }
        }

        @Override
        public void removed() {
            tasks.release(live);
        }
    }

    /** A creation that cannot be stored still finds a task that was created before with the same key. */
    private Created whileStoreFails(Creation creation, LiveTask live, StoreException why) {
        return switch (createdBefore(creation)) {
            case Created.Same(var task) when !task.id().equals(live.id()) -> new Created.Same(task);
            case null, default -> throw why;
        };
    }

    private void undo(LiveTask live) {
        tasks.remove(live);
        live.slot().notStarted();
    }

    private void queueIfSubmitted(LiveTask live) {
        if (runner.runs(live) && live.stored().state() == TaskState.SUBMITTED) {
            tasks.onTurn(live, runner.priority(live), () -> runner.queue(live, new Command.Start(runner.lease())));
        }
    }

    private void settleLater(LiveTask live, Creation creation) {
        parts.time()
                .at(
                        parts.time().now().plus(SETTLE_AFTER),
                        () -> parts.fork("settle-" + live.id(), () -> settle(live, creation)));
    }

    /** Finds out whether the store has a task whose creation failed in the commit, and takes the task up if so. */
    private void settle(LiveTask live, Creation creation) {
        try {
            if (runner.isClosing()) {
                return;
            }
            if (runner.ledger().settle(live) == null) {
                undo(live);
            } else {
                queueIfSubmitted(live);
            }
        } catch (StoreException e) {
            settleLater(live, creation);
        }
    }

    private static Created same(Creation creation, Task existing) {
        return Objects.equals(creation.creationKey(), existing.spec().creationKey())
                ? new Created.Same(existing)
                : new Created.KeyConflict();
    }

    /** The task that the owner has created before with the same key, or null. */
    private @Nullable Created createdBefore(Creation creation) {
        CreationKey key = creation.creationKey();
        return key == null
                ? null
                : finder.find(creation.owner(), key.value())
                        .map(found -> same(creation, found))
                        .orElse(null);
    }
}
