// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.TaskIds;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TaskTime;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Task;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What an engine is given from outside.
 *
 * @param works  by name; more may come
 * @param others null where the store is this node's alone
 */
record EngineContext(
        TaskStore store,
        TaskTime time,
        TaskLimits limits,
        Hooks hooks,
        ConcurrentMap<String, Work> works,
        @Nullable OtherNodes others) {

    private static final int SPREAD = 64;

    /**
     * What an engine calls outside.
     *
     * @param threads makes the threads of runs
     * @param ids     makes those of tasks
     * @param calls   is told of each task that another one has called
     * @param ends    is told of each task that ends
     */
    record Hooks(ThreadFactory threads, TaskIds ids, Consumer<Task> calls, Consumer<Task> ends) {}

    /**
     * Does something with each of many, on several threads, so that they share their commits.
     *
     * @return opens when all is done
     */
    <T> CountDownLatch spread(String name, Collection<T> all, Consumer<T> action) {
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

    void fork(String name, Runnable action) {
        var thread = hooks.threads().newThread(action);
        thread.setName(name);
        thread.start();
    }
}
