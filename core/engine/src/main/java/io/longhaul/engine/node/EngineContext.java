// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.node;

import io.longhaul.engine.RandomTaskIds;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TaskTime;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskSpec;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The collaborators and settings of an engine.
 *
 * @param present the limits, which may change later; see {@link #limits}
 * @param works  the works by name; work may be added later
 * @param others null where only this node uses the store
 */
public record EngineContext(
        TaskStore store,
        TaskTime time,
        AtomicReference<TaskLimits> present,
        Hooks hooks,
        ConcurrentMap<String, Work> works,
        @Nullable OtherNodes others) {

    private static final int SPREAD = 64;

    public TaskLimits limits() {
        return present.get();
    }

    /** Whether this node runs the tasks of a work; it creates, shows, answers and cancels the tasks of any work. */
    public boolean runs(String work) {
        return others == null || others.runs().test(work);
    }

    /** Whether this node runs any work that it offers. */
    public boolean runsAny() {
        return works.keySet().stream().anyMatch(this::runs);
    }

    /**
     * The callbacks of an engine.
     *
     * @param threads makes the threads of runs
     * @param ids     makes the ids of tasks
     * @param calls   is notified of each child
     * @param ends    is notified of each task that ends
     * @param shares  the group of live tasks that a task counts with after a restart
     * @param leftJobs follows the jobs of work that is not offered any more; null for none
     */
    public record Hooks(
            ThreadFactory threads,
            RandomTaskIds ids,
            Consumer<Task> calls,
            Consumer<Task> ends,
            Function<TaskSpec, String> shares,
            @Nullable Backend leftJobs) {}

    /**
     * Runs {@code action} for each element on several threads, so that the commits of the actions are grouped.
     *
     * @return opens when all actions are done
     */
    public <T> CountDownLatch spread(String name, Collection<T> all, Consumer<T> action) {
        var left = new ConcurrentLinkedQueue<T>(all);
        int threads = Math.min(SPREAD, left.size());
        var done = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            fork(name + "-" + i, () -> {
                try {
                    for (var next = left.poll(); next != null; next = left.poll()) {
                        action.accept(next);
                    }
                } finally {
                    done.countDown();
                }
            });
        }
        return done;
    }

    public void fork(String name, Runnable action) {
        var thread = hooks.threads().newThread(action);
        thread.setName(name);
        thread.start();
    }
}
