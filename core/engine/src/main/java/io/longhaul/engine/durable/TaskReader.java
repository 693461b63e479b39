// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.lease.LeaseTerm;
import io.longhaul.engine.ledger.LiveTask;
import io.longhaul.engine.node.EngineContext;
import io.longhaul.engine.store.ListedTasks;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads tasks. A live task is read from the memory of this node. Where other nodes share the store, the reader first
 * compares the version in the store, so that a change that any node has acknowledged is seen at every node.
 *
 * @param term the present term
 */
record TaskReader(EngineContext parts, Supplier<LeaseTerm> term) {

    /** The task with all changes that were committed before. Watchers of the task here learn of these changes too. */
    Optional<Task> find(TaskId id) {
        var found = look(id);
        var others = parts.others();
        if (others != null) {
            found.ifPresent(others.watched()::seen);
        }
        return found;
    }

    /** The task as {@link #find(TaskId)} gives it, without a notice to watchers. */
    Optional<Task> look(TaskId id) {
        var now = term.get();
        LiveTask live = now.tasks().get(id);
        if (live != null && !live.isUnsettled()) {
            version(live).ifPresent(version -> now.runner().ledger().reread(live, version));
        }
        return known(id);
    }

    /** The version of a live task in the store; empty where no other node writes tasks, or the store fails. */
    private OptionalLong version(LiveTask live) {
        var others = parts.others();
        try {
            return others == null ? OptionalLong.empty() : others.tasks().version(live.id());
        } catch (StoreException e) {
            // The copy of this node is the best available answer while this node may assume that it has the task.
            return OptionalLong.empty();
        }
    }

    /**
     * The task as this node knows it: enough for a decision, because the store refuses a commit on an older version.
     */
    Optional<Task> known(TaskId id) {
        var now = term.get();
        LiveTask live = now.tasks().get(id);
        if (live != null && live.isUnsettled()) {
            now.runner().ledger().settle(live);
        }
        Optional<Task> task = live == null ? parts.store().find(id) : Optional.ofNullable(live.shown());
        return task.filter(found -> !isExpired(found));
    }

    Optional<Task> find(Owner owner, String creationKey) {
        return parts.store().findByKey(owner, creationKey).map(this::latest).filter(found -> !isExpired(found));
    }

    /**
     * Leaves out tasks that no longer match or whose retention is over, and fills the page from the next page of the
     * store.
     */
    ListedTasks list(TaskFilter filter, @Nullable TaskId before, int limit) {
        var found = new ArrayList<Task>();
        TaskId next = before;
        while (found.size() < limit) {
            int wanted = limit - found.size();
            var page = parts.store().list(filter, next, wanted);
            page.tasks().stream()
                    .map(this::latest)
                    .filter(task -> filter.matches(task) && !isExpired(task))
                    .forEach(found::add);
            next = page.next();
            if (next == null || page.tasks().size() < wanted) {
                return new ListedTasks(found, next);
            }
        }
        return new ListedTasks(found, next);
    }

    List<Task> routed(Owner owner, Route route, @Nullable TaskId after, int limit) {
        var found = new ArrayList<Task>();
        TaskId last = after;
        while (found.size() < limit) {
            int wanted = limit - found.size();
            var page = parts.store().routed(owner, route, last, wanted);
            page.stream().map(this::latest).filter(task -> !isExpired(task)).forEach(found::add);
            if (page.size() < wanted) {
                break;
            }
            last = page.getLast().id();
        }
        return List.copyOf(found);
    }

    private Task latest(Task stored) {
        var now = term.get();
        LiveTask live = now.tasks().get(stored.id());
        if (live != null && live.isUnsettled()) {
            now.runner().ledger().settle(live);
        } else if (live != null && parts.others() != null) {
            now.runner().ledger().reread(live, stored.position().version());
        }
        Task shown = live == null ? null : live.shown();
        return shown == null ? stored : shown;
    }

    /** Whether a sweep would remove the task: a task whose work is still being stopped stays, with its creation key. */
    private boolean isExpired(Task task) {
        var expiry = task.expiry();
        return task.hasEndedWork()
                && expiry != null
                && !expiry.isAfter(parts.time().now());
    }
}
