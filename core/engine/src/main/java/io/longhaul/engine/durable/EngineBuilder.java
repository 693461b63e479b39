// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.RandomTaskIds;
import io.longhaul.engine.SystemTime;
import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TaskTime;
import io.longhaul.engine.node.EngineContext;
import io.longhaul.engine.node.OtherNodes;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Configures an engine; only the store has no default. Not thread-safe; use a builder for one {@link #start()}. */
public final class EngineBuilder {

    private final Map<String, Work> works = new LinkedHashMap<>();
    private @Nullable TaskStore store;
    private @Nullable TaskTime time;
    private TaskLimits limits = TaskLimits.DEFAULT;
    private RandomTaskIds ids = new RandomTaskIds();
    private ThreadFactory threads = Thread.ofVirtual().factory();
    private @Nullable String node;
    private Consumer<Task> calls = task -> {};
    private Consumer<Task> ends = task -> {};
    private @Nullable Backend leftJobs;
    private Predicate<String> runs = work -> true;
    private Function<TaskSpec, String> shares = spec -> spec.owner().value();

    EngineBuilder() {}

    /** The store of the tasks. The caller closes the store, after the engine. */
    public EngineBuilder store(TaskStore taskStore) {
        store = taskStore;
        return this;
    }

    /** The clock and alarms; by default those of the system. */
    public EngineBuilder time(TaskTime taskTime) {
        time = taskTime;
        return this;
    }

    public EngineBuilder limits(TaskLimits taskLimits) {
        limits = taskLimits;
        return this;
    }

    public EngineBuilder ids(RandomTaskIds taskIds) {
        ids = taskIds;
        return this;
    }

    /** The factory for the threads of runs; by default virtual threads. */
    public EngineBuilder threads(ThreadFactory factory) {
        threads = factory;
        return this;
    }

    /**
     * The name of this node in its leases. Where several nodes share the store, each needs a name of its own and keeps
     * the name over restarts: then a node takes its own tasks up again at once. By default the name is unique to this
     * engine, and after a restart its tasks wait until its lease has lapsed.
     */
    public EngineBuilder node(String name) {
        node = name;
        return this;
    }

    /**
     * Which works this node runs, by their names, where several nodes share the store; by default, all that it offers.
     * Tasks of other works that it creates begin at a node that runs them.
     */
    public EngineBuilder runs(Predicate<String> works) {
        runs = works;
        return this;
    }

    /** Registers one kind of work; names are unique. */
    public EngineBuilder work(Work work) {
        if (works.putIfAbsent(work.name(), work) != null) {
            throw new IllegalArgumentException("two works are called '" + work.name() + "'");
        }
        return this;
    }

    /** Notifies an observer of each child when the child is durable; the observer must not block. */
    public EngineBuilder calls(Consumer<Task> observer) {
        calls = observer;
        return this;
    }

    /**
     * Notifies an observer of each task when its end is durable by a commit of this node. The observer runs on threads
     * that hold locks: it must not block, and must not throw.
     */
    public EngineBuilder ends(Consumer<Task> observer) {
        ends = observer;
        return this;
    }

    /**
     * Which group of live tasks a task counts with that an earlier engine has created; by default that of its owner.
     */
    public EngineBuilder shares(Function<TaskSpec, String> share) {
        shares = share;
        return this;
    }

    /**
     * Follows the jobs of tasks whose work is not offered in time after a start, and keeps their outcomes. By default,
     * such tasks fail as interrupted.
     */
    public EngineBuilder leftJobs(Backend backend) {
        leftJobs = backend;
        return this;
    }

    public EngineBuilder works(List<Work> all) {
        all.forEach(this::work);
        return this;
    }

    /**
     * Joins the store, takes over every task whose work has not ended, and starts the engine. Reads and answers are
     * correct from then on; work that is taken up again may still be starting.
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

    /** Two nodes with the same name would fence each other again and again. */
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
                new AtomicReference<>(limits),
                new EngineContext.Hooks(threads, ids, calls, ends, shares, leftJobs),
                new ConcurrentHashMap<>(works),
                tasks.sharedTasks().map(shared -> new OtherNodes(shared, runs)).orElse(null));
    }
}
