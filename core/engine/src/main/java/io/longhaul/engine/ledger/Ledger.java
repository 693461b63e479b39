// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.ledger;

import io.longhaul.engine.node.EngineContext;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.transition.Command;
import io.longhaul.engine.transition.Decision;
import io.longhaul.engine.transition.Effect;
import io.longhaul.engine.transition.Transitions;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The only class that changes tasks: decides on the latest snapshot, commits, publishes, then starts the effects.
 *
 * @param lease the lease of this node
 */
public record Ledger(EngineContext parts, Effects effects, Lease lease) {

    /** The effects of a durable change. Called with the task's lock held, so that no method may block. */
    public interface Effects {
        /**
         * Runs the effects that must precede the publication of the change: a caller that sees its task end may create
         * the next one.
         */
        void prepare(LiveTask live, Set<Effect> effects);

        /** Whether this copy of a task is the one that this node runs, and not a copy for one change. */
        boolean runs(LiveTask live);

        /** Starts the effects that follow the publication. */
        void follow(LiveTask live, Task task, Set<Effect> effects);

        /**
         * Schedules a read of the task after a write with unknown result, to correct the copy in memory even if no
         * caller looks at the task.
         */
        void settleLater(LiveTask live);
    }

    /**
     * Commits a creation under the lease of the new task: a task of a node that has lost its lease would have no node.
     *
     * @throws StoreException when the storage fails
     */
    public CommitResult create(LiveTask live, Decision.Accepted creation) {
        live.writing.lock();
        try {
            CommitResult result;
            try {
                var task = creation.after();
                result = commit(new Change(
                        null, task, creation.events(), task.execution().lease()));
            } catch (StoreException e) {
                live.unsure = true;
                throw e;
            }
            if (result instanceof CommitResult.Committed) {
                publish(live, null, creation);
            }
            return result;
        } finally {
            live.writing.unlock();
        }
    }

    /**
     * Carries out one command, deciding again as long as another commit was faster.
     *
     * @param fence the lease that the change needs; null for a change that needs none. Where one node at a time has the
     *              store, such a change must still come through that node
     * @throws StoreException when the storage fails
     */
    public ChangeResult change(LiveTask live, Command command, @Nullable Lease fence) {
        live.writing.lock();
        try {
            if (live.unsure && reload(live) == null) {
                return new ChangeResult.Missing();
            }
            boolean mayOwn = true;
            while (true) {
                Task before = live.storedOrNull();
                if (before == null) {
                    return new ChangeResult.Missing();
                }
                if (fence != null && !fence.equals(before.execution().lease()) || isOfLaterNode(before)) {
                    return new ChangeResult.Fenced();
                }
                // Without the fence where this node has only just taken the task over: its other copy is then read
                // again.
                boolean isOwn = mayOwn
                        && lease.equals(before.execution().lease())
                        && (parts.others() == null || effects.runs(live));
                // model: write_fenced, write_unfenced
                ChangeResult done = attempt(live, before, here(before, command), isOwn ? lease : fence);
                boolean isRefused = done instanceof ChangeResult.Fenced;
                if (done != null && !isRefused) {
                    return done;
                }
                Task now = reload(live);
                if (isRefused && (fence != null || parts.others() == null)) {
                    return done;
                }
                if (now == null) {
                    return new ChangeResult.Missing();
                }
                // The lease of this node is void: it writes without a lease.
                mayOwn = !isRefused;
            }
        } finally {
            live.writing.unlock();
        }
    }

    /**
     * Whether a later process holds the task, in a store for one node at a time: that process would not learn of a
     * write here.
     */
    private boolean isOfLaterNode(Task task) {
        Lease holder = task.execution().lease();
        return parts.others() == null && holder != null && holder.epoch() > lease.epoch();
    }

    /** The command in the form for this node. */
    private Command here(Task task, Command command) {
        Lease holder = task.execution().lease();
        boolean isOfOther = parts.others() != null && holder != null && !holder.equals(lease);
        return isOfOther && command instanceof Command.Cancel cancel
                ? new Command.Cancel(cancel.reason(), true)
                : command;
    }

    /** Null where another commit came first. */
    private @Nullable ChangeResult attempt(LiveTask live, Task before, Command command, @Nullable Lease fence) {
        var report = live.takeUnsaved();
        var decision = Transitions.decide(before, report, command, parts.time().now());
        if (!(decision instanceof Decision.Accepted accepted)) {
            live.putBack(report);
            return new ChangeResult.Refused(before, ((Decision.Refused) decision).reason());
        }
        CommitResult result;
        try {
            result = commit(new Change(before, accepted.after(), accepted.events(), fence));
        } catch (StoreException e) {
            live.unsure = true;
            live.putBack(report);
            effects.settleLater(live);
            throw e;
        }
        return switch (result) {
            case CommitResult.Committed c -> {
                publish(live, before, accepted);
                yield new ChangeResult.Done(accepted.after());
            }
            case CommitResult.Fenced f -> new ChangeResult.Fenced();
            case CommitResult.Missing m -> new ChangeResult.Missing();
            case CommitResult.Stale s -> {
                live.putBack(report);
                yield null;
            }
            case CommitResult.KeyTaken k ->
                throw new StoreException("the store took the change of task " + live.id() + " for a creation");
        };
    }

    /** Publishes the snapshot of the store; null where the task does not exist any more. */
    private @Nullable Task reload(LiveTask live) {
        // model: reread
        Task task = parts.store().find(live.id()).orElse(null);
        live.unsure = false;
        if (task != null) {
            Task known = live.storedOrNull();
            publish(live, known, new Decision.Accepted(task, List.of(), Effect.between(known, task)));
        }
        return task;
    }

    private void publish(LiveTask live, @Nullable Task before, Decision.Accepted change) {
        effects.prepare(live, change.effects());
        // Before the end is published, so that the observer learns of the end no later than any client.
        if (change.after().state().isTerminal()
                && (before == null || !before.state().isTerminal())) {
            parts.hooks().ends().accept(change.after());
        }
        live.publish(change.after(), change.events());
        Audit.changed(before, change.after());
        effects.follow(live, change.after(), change.effects());
    }

    /** Makes the copy in memory equal to the store's after a failed commit; null where the store has no such task. */
    public @Nullable Task settle(LiveTask live) {
        live.writing.lock();
        try {
            return live.unsure ? reload(live) : live.storedOrNull();
        } finally {
            live.writing.unlock();
        }
    }

    /** Reads the task again where the store has a later version, written by another node. */
    public void reread(LiveTask live, long version) {
        if (isBehind(live, version)) {
            live.exclusively(() -> {
                // A commit of this node may have been in progress.
                if (isBehind(live, version)) {
                    live.unsure = true;
                    reload(live);
                }
            });
        }
    }

    private static boolean isBehind(LiveTask live, long version) {
        Task known = live.storedOrNull();
        return known != null && known.position().version() < version;
    }

    /**
     * Commits without the interrupt of the thread: stopping the work interrupts its thread, and must not break a
     * commit.
     */
    private CommitResult commit(Change change) {
        boolean interrupted = Thread.interrupted();
        try {
            return parts.store().commit(change);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
