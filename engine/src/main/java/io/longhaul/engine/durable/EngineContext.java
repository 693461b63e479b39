// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.TaskIds;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TaskTime;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Task;
import java.util.concurrent.ConcurrentMap;
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

    /**
     * What an engine calls outside.
     *
     * @param threads makes the threads of runs
     * @param ids     makes those of tasks
     * @param ends    is told of each task that ends
     */
    record Hooks(ThreadFactory threads, TaskIds ids, Consumer<Task> ends) {}

    void fork(String name, Runnable action) {
        var thread = hooks.threads().newThread(action);
        thread.setName(name);
        thread.start();
    }
}
