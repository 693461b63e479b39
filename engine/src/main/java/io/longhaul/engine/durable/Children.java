// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskEngine.Creation;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Source;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The children of tasks. A child is a task as any other, which its parent finds again: by a creation key that is made
 * of the parent and the name of the call, so that a call which is repeated after a crash creates no second one, and
 * with all others by its route. As long as its parent lives it is kept, as one that somebody has joined.
 *
 * @param creator creates a task under the lease that its parent runs under: an attempt may outlive that
 */
record Children(EngineContext parts, TaskEngine engine, BiFunction<Creation, String, Created> creator) {

    private static final int INTERNAL_ERROR = -32603;
    private static final int PAGE = 500;

    /**
     * The child of this name, which is created where it is not there.
     *
     * @throws RunException where a limit leaves no room for it
     */
    TaskId create(LiveTask parent, String name, Run.Call call) {
        checkDepth(parent.stored());
        var creation = new Creation(
                parent.owner,
                call.work(),
                call.request(),
                new Source(call.origin(), Route.ofChildren(parent.id, name)),
                new CreationKey("child:" + parent.id + "/" + name, ""),
                Retention.fromLeaving(call.keep()));
        return switch (creator.apply(creation, parent.share)) {
            case Created.New(var task) -> {
                parts.hooks().calls().accept(task);
                yield task.id();
            }
            case Created.Same(var task) -> task.id();
            case Created.TooManyLive(int limit) ->
                throw refused("The owner of the task has " + limit + " live tasks, and may have no more.");
            case Created.KeyConflict conflict ->
                throw new IllegalStateException("a name of task " + parent.id + " stands for something else");
        };
    }

    private void checkDepth(Task task) {
        int depth = 1;
        for (var up = task.spec().parent(); up != null; depth++) {
            up = engine.find(task.owner(), up)
                    .map(parent -> parent.spec().parent())
                    .orElse(null);
        }
        if (depth > parts.limits().childDepth()) {
            throw refused(
                    "The task was called by a task in its turn, " + (depth - 1) + " deep, and may call no other.");
        }
    }

    static RunException refused(String message) {
        return new RunException(new Outcome.Error(INTERNAL_ERROR, message, null));
    }

    /** Whether a task has children, ended ones too. */
    boolean any(Task parent) {
        return !page(parent, null, 1).isEmpty();
    }

    /** Whether the parent of a task may still ask for it, so that it must be there. */
    boolean isKept(Task child) {
        var parent = child.spec().parent();
        return parent != null
                && engine.find(child.owner(), parent)
                        .filter(task -> task.ending() == null)
                        .isPresent();
    }

    /**
     * Lets the children of an ended task go: what is open is cancelled, and all are kept for their own time from now
     * on. It does nothing where that was done before.
     */
    void letGo(Task parent) throws InterruptedException {
        for (var page = page(parent, null, PAGE); !page.isEmpty(); ) {
            var failure = new AtomicReference<@Nullable RuntimeException>();
            parts.spread("children-" + parent.id(), page, child -> {
                        try {
                            letGo(parent, child);
                        } catch (RuntimeException e) {
                            failure.set(e);
                        }
                    })
                    .await();
            RuntimeException failed = failure.get();
            if (failed != null) {
                throw failed;
            }
            page = page(parent, page.getLast().id(), PAGE);
        }
    }

    private void letGo(Task parent, Task child) {
        if (child.ending() == null) {
            cancel(child.id(), parent, "The task " + parent.id() + ", which had called it, has ended.");
        }
        var kept = child.status().retention();
        if (kept.basis() == Retention.Basis.LEAVING) {
            var age = Duration.between(child.spec().createdAt(), parts.time().now());
            engine.retain(
                    child.owner(),
                    child.id(),
                    Retention.fromCreation(age.plus(kept.duration())).atLeast(kept.duration()));
        }
    }

    void cancel(TaskId child, Task parent, @Nullable String reason) {
        engine.cancel(parent.owner(), child, reason);
    }

    /** Deletes what an ended task has called; false where something of it has not ended its work. */
    boolean delete(Task parent) {
        for (var page = page(parent, null, PAGE); !page.isEmpty(); ) {
            for (Task child : page) {
                if (engine.delete(child.owner(), child.id()) instanceof TaskEngine.Deleted.StillLive) {
                    return false;
                }
            }
            page = page(parent, page.getLast().id(), PAGE);
        }
        return true;
    }

    private List<Task> page(Task parent, @Nullable TaskId after, int limit) {
        return engine.routed(parent.owner(), Route.ofChildren(parent.id(), null), after, limit);
    }
}
