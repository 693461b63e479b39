// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.children;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskEngine.Creation;
import io.longhaul.engine.ledger.LiveTask;
import io.longhaul.engine.node.EngineContext;
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
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Creates, finds and ends the children of tasks. A child has a creation key of its parent's id and the name of the
 * call, so that a call that is repeated after a crash creates no second child. The route of a child leads from the
 * parent to all its children. A child is kept while its parent is live, like a task that a session has joined.
 *
 * @param creator creates a task under the lease that its parent runs under, because an attempt may outlive that lease
 */
public record Children(EngineContext parts, TaskEngine engine, BiFunction<Creation, String, Created> creator) {

    private static final int PAGE = 500;

    /**
     * The child of this name; creates the child where there is none.
     *
     * @param retries a retried parent calls another child of the name than before
     * @throws RunException where a limit refuses the child
     */
    public TaskId create(LiveTask parent, String name, int retries, Run.Call call) {
        checkDepth(parent.stored());
        var creation = new Creation(
                parent.owner(),
                call.work(),
                call.request(),
                new Source(call.origin(), Route.ofChildren(parent.id(), name)),
                new CreationKey("child:" + parent.id() + "/" + name + (retries == 0 ? "" : "/" + retries + "/"), ""),
                Retention.fromLeaving(call.keep()));
        // model: call_child
        return switch (creator.apply(creation, parent.share())) {
            case Created.New(var task) -> {
                parts.hooks().calls().accept(task);
                yield task.id();
            }
            case Created.Same(var task) -> task.id();
            case Created.TooManyLive(int limit) ->
                throw RunException.internal(
                        "The owner of the task has " + limit + " live tasks, and may have no more.");
            case Created.KeyConflict conflict ->
                throw new IllegalStateException("a name of task " + parent.id() + " stands for something else");
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
            throw RunException.internal(
                    "The task was called by a task in its turn, " + (depth - 1) + " deep, and may call no other.");
        }
    }

    /** Whether a task has children, ended children included. */
    public boolean any(Task parent) {
        return !page(parent, null, 1).isEmpty();
    }

    /** Whether a child of a task lives: the work of the child goes on, whatever becomes of the work of the task. */
    public boolean anyLive(Task parent) {
        return all(parent).anyMatch(child -> child.ending() == null);
    }

    /** The names by which a task has called its children. */
    public List<String> names(Task parent) {
        return all(parent)
                .map(child ->
                        Objects.requireNonNull(child.spec().source().route()).member())
                .toList();
    }

    /** Whether an attempt takes over a child that an earlier one has called: a retry, only one that has not failed. */
    public boolean isTakenOver(Task parent, TaskId child) {
        return engine.find(parent.owner(), child)
                .filter(found -> parent.execution().attempts().failed() == 0
                        || found.ending() == null
                        || hasResult(parent, child))
                .isPresent();
    }

    /** Whether a child has ended with a result that another call of it may use. */
    public boolean hasResult(Task parent, TaskId child) {
        return engine.find(parent.owner(), child)
                .map(Task::ending)
                .filter(ending -> ending.outcome() instanceof Outcome.Result result && !result.isError())
                .isPresent();
    }

    /** Whether a task must be kept because its live parent may still ask for it. */
    public boolean isKept(Task child) {
        var parent = child.spec().parent();
        return parent != null
                && engine.find(child.owner(), parent)
                        .filter(task -> task.ending() == null)
                        .isPresent();
    }

    /**
     * Releases the children of an ended task: cancels live children, and lets the retention of each child begin now. A
     * repeated call does nothing.
     */
    public void letGo(Task parent) throws InterruptedException {
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

    /** Deletes the children of an ended task; false where the work of a child has not ended. */
    public boolean delete(Task parent) {
        return all(parent)
                .noneMatch(child -> engine.delete(child.owner(), child.id()) instanceof TaskEngine.Deleted.StillLive);
    }

    private Stream<Task> all(Task parent) {
        return Stream.iterate(
                        page(parent, null, PAGE),
                        page -> !page.isEmpty(),
                        page -> page(parent, page.getLast().id(), PAGE))
                .flatMap(List::stream);
    }

    private List<Task> page(Task parent, @Nullable TaskId after, int limit) {
        return engine.routed(parent.owner(), Route.ofChildren(parent.id(), null), after, limit);
    }
}
