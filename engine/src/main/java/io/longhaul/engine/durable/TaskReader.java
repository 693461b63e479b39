// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.ListedTasks;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskFilter;
import io.longhaul.engine.task.TaskId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows tasks. A live task is shown as this node has it in memory: where other nodes have the store too, only after a
 * look at the version that the store has of it, so that what any node has acknowledged is seen at every node.
 *
 * @param term of this moment
 */
record TaskReader(EngineContext parts, Supplier<Term> term) {

    /** The task, with all that was committed before. Those who watch it here know no less afterwards. */
    Optional<Task> find(TaskId id) {
        var found = look(id);
        var others = parts.others();
        if (others != null) {
            found.ifPresent(others.watched()::seen);
        }
        return found;
    }

    /** The same, of which nobody else is told. */
    Optional<Task> look(TaskId id) {
        var now = term.get();
        LiveTask live = now.tasks.get(id);
        if (live != null && !live.isUnsettled()) {
            version(live).ifPresent(version -> now.runner.reread(live, version));
        }
        return known(id);
    }

    /** The version that the store has of a live task; empty where nobody else writes it, or the store does not say. */
    private OptionalLong version(LiveTask live) {
        var others = parts.others();
        try {
            return others == null ? OptionalLong.empty() : others.tasks().version(live.id);
        } catch (StoreException e) {
            // What this node knows is the best that can be said, for as long as it may take itself for the holder.
            return OptionalLong.empty();
        }
    }

    /** The task as this node knows it: enough to decide on, since a commit on an older version is refused. */
    Optional<Task> known(TaskId id) {
        var now = term.get();
        LiveTask live = now.tasks.get(id);
        if (live != null && live.isUnsettled()) {
            now.runner.ledger.settle(live);
        }
        Optional<Task> task = live == null ? parts.store().find(id) : Optional.ofNullable(live.shown());
        return task.filter(found -> !isExpired(found));
    }

    Optional<Task> find(Owner owner, String creationKey) {
        return parts.store().findByKey(owner, creationKey).map(this::latest).filter(found -> !isExpired(found));
    }

    /** What has changed, or is kept no longer, is left out: a page that became shorter so goes on with the next one. */
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
        LiveTask live = now.tasks.get(stored.id());
        if (live != null && live.unsure) {
            now.runner.ledger.settle(live);
        } else if (live != null && parts.others() != null) {
            now.runner.reread(live, stored.stamp().version());
        }
        Task shown = live == null ? null : live.shown();
        return shown == null ? stored : shown;
    }

    /** As the store sweeps: a task whose work is still being stopped stays, and so does its creation key. */
    private boolean isExpired(Task task) {
        var expiry = expiry(task);
        return task.hasEndedWork()
                && expiry != null
                && !expiry.isAfter(parts.time().now());
    }

    static @Nullable Instant expiry(Task task) {
        var ending = task.ending();
        return task.status().retention().expiry(task.spec().createdAt(), ending == null ? null : ending.at());
    }
}
