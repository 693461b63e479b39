// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.RandomTaskIds;
import io.longhaul.engine.SystemTime;
import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskIds;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TaskTime;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Task;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Puts an engine together; only the store has no default. Not thread-safe, and good for one {@link #start()}. */
public final class EngineBuilder {

    private final Map<String, Work> works = new LinkedHashMap<>();
    private @Nullable TaskStore store;
    private @Nullable TaskTime time;
    private TaskLimits limits = TaskLimits.DEFAULT;
    private TaskIds ids = new RandomTaskIds();
    private ThreadFactory threads = Thread.ofVirtual().factory();
    private @Nullable String node;
    private Consumer<Task> calls = task -> {};
    private Consumer<Task> ends = task -> {};

    EngineBuilder() {}

    /** Where tasks are kept. It stays the caller's: close it after the engine. */
    public EngineBuilder store(TaskStore taskStore) {
        store = taskStore;
        return this;
    }

    /** The clock and alarms; the system's where nothing else is said. */
    public EngineBuilder time(TaskTime taskTime) {
        time = taskTime;
        return this;
    }

    public EngineBuilder limits(TaskLimits taskLimits) {
        limits = taskLimits;
        return this;
    }

    public EngineBuilder ids(TaskIds taskIds) {
        ids = taskIds;
        return this;
    }

    /** What makes the threads of runs; virtual ones where nothing else is said. */
    public EngineBuilder threads(ThreadFactory factory) {
        threads = factory;
        return this;
    }

    /**
     * The name that this node holds its leases under. Where several nodes have the store each has a name of its own,
     * which it keeps over restarts: then it takes its own tasks up again at once. Where nothing is said the name is
     * that of this engine alone, and its tasks wait until its lease has lapsed.
     */
    public EngineBuilder node(String name) {
        node = name;
        return this;
    }

    /** Registers one kind of work; names are unique. */
    public EngineBuilder work(Work work) {
        if (works.putIfAbsent(work.name(), work) != null) {
            throw new IllegalArgumentException("two works are called '" + work.name() + "'");
        }
        return this;
    }

    /** Has an observer told of each task that another one has called, when it is durable; it must not block. */
    public EngineBuilder calls(Consumer<Task> observer) {
        calls = observer;
        return this;
    }

    /**
     * Has an observer told of each task when its end is durable, by this node: on threads that hold locks, so that the
     * observer must not block, and must not throw.
     */
    public EngineBuilder ends(Consumer<Task> observer) {
        ends = observer;
        return this;
    }

    public EngineBuilder works(List<Work> all) {
        all.forEach(this::work);
        return this;
    }

    /**
     * Joins the store, takes over every task whose work has not ended, and starts. Reads and answers are right from
     * here on; work that is taken up again may still be starting.
     *
     * @throws StoreException when the storage fails
     */
    public TaskEngine start() {
        TaskStore tasks = store;
        if (tasks == null) {
            throw new IllegalStateException("an engine needs a store");
        }
        TaskTime given = time;
        if (given != null) {
            return new DurableEngine(parts(tasks, given), name(tasks, given), () -> {});
        }
        var system = new SystemTime();
        try {
            return new DurableEngine(parts(tasks, system), name(tasks, system), system::close);
        } catch (RuntimeException e) {
            system.close();
            throw e;
        }
    }

    /** Two nodes of one name would fence each other for ever. */
    private String name(TaskStore tasks, TaskTime clock) {
        if (node != null) {
            return node;
        }
        return tasks.sharedTasks().isPresent() ? "node-" + ids.next(clock.now()) : "local";
    }

    private EngineContext parts(TaskStore tasks, TaskTime clock) {
        return new EngineContext(
                tasks,
                clock,
                limits,
                new EngineContext.Hooks(threads, ids, calls, ends),
                new ConcurrentHashMap<>(works),
                tasks.sharedTasks().map(OtherNodes::new).orElse(null));
    }
}
