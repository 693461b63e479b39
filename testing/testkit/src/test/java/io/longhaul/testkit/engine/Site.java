// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit.engine;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskEngine.Creation;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Happening;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskId;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One engine on a memory store under a test's own time, with what the tests of engines say often. */
final class Site implements AutoCloseable {
    static final Owner ANN = new Owner("ann");
    static final Instant NEVER = Instant.MAX.minus(Duration.ofDays(400));
    static final Duration STEP = Duration.ofMillis(100);
    static final TaskLimits LIMITS =
            TaskLimits.builder().handBackGrace(Duration.ofMillis(200)).build();

    final FakeTime time;
    final MemoryTaskStore store;
    final TaskEngine engine;

    Site(Work... works) {
        this(new FakeTime(), new MemoryTaskStore(), LIMITS, works);
    }

    Site(FakeTime time, MemoryTaskStore store, TaskLimits limits, Work... works) {
        this(time, store, store, limits, works);
    }

    /** {@code seen} is what the engine writes to: {@code store} itself, or something around it that fails. */
    Site(FakeTime time, MemoryTaskStore store, TaskStore seen, TaskLimits limits, Work... works) {
        this.time = time;
        this.store = store;
        engine = DurableEngine.builder()
                .store(seen)
                .time(time)
                .limits(limits)
                .works(List.of(works))
                .start();
    }

    /** What the next process finds when this one is killed: this engine is left alone, its store is shut. */
    Site crash(Work... works) {
        return new Site(time, store.reopen(), engine.limits(), works);
    }

    static Work work(String name, Backend backend) {
        return new Work(name, backend, CrashPolicy.FAIL, null, Integer.MAX_VALUE);
    }

    static Work work(String name, CrashPolicy policy, Backend backend) {
        return new Work(name, backend, policy, null, Integer.MAX_VALUE);
    }

    /** Work that ends when {@code go} opens. */
    static Backend held(CountDownLatch go, String result) {
        return run -> {
            go.await();
            return result(result);
        };
    }

    static Payload text(String text) {
        return Payload.ofText(text);
    }

    static Outcome result(String text) {
        return new Outcome.Result(text(text), false);
    }

    static Creation creation(String work) {
        return creation(work, null, null);
    }

    static Creation creation(String work, @Nullable CreationKey key, @Nullable Retention retention) {
        return new Creation(ANN, work, text("{}"), Payload.EMPTY, key, retention);
    }

    Task create(String work) {
        return ((TaskEngine.Created.New) engine.create(creation(work))).task();
    }

    Task find(Task task) {
        return engine.find(ANN, task.id()).orElseThrow();
    }

    Task await(Task task, Predicate<Task> wanted) throws InterruptedException {
        return await(task.id(), wanted);
    }

    Task await(TaskId id, Predicate<Task> wanted) throws InterruptedException {
        var now = engine.find(ANN, id).orElseThrow();
        while (!wanted.test(now)) {
            now = engine.awaitChange(ANN, id, now.stamp().version(), NEVER).orElseThrow();
        }
        return now;
    }

    Task awaitEnd(Task task) throws InterruptedException {
        return await(task, now -> now.state().isTerminal());
    }

    Task awaitStopped(Task task) throws InterruptedException {
        return await(task, now -> now.ending() != null && now.ending().workEnded());
    }

    Task awaitQuestion(Task task) throws InterruptedException {
        return await(task, now -> !now.outstanding().isEmpty());
    }

    List<Happening> history(Task task) {
        return engine.history(ANN, task.id(), 0, 1_000).stream()
                .map(TaskEvent::what)
                .toList();
    }

    static Outcome outcome(Task task) {
        var ending = task.ending();
        if (ending == null) {
            throw new AssertionError("has not ended: " + task);
        }
        return ending.outcome();
    }

    @Override
    public void close() {
        engine.close();
    }

    /**
     * Lets a {@link #STEP} pass. Then waits, for 50 ms of real time at most, until the threads that alarms have started
     * have set their alarms again. Time that runs ahead of these threads would have a node lose its lease.
     */
    static void pass(FakeTime time) {
        int alarms = time.alarms();
        time.advance(STEP);
        long until = System.nanoTime() + 50_000_000;
        while (time.alarms() < alarms && System.nanoTime() < until) {
            Thread.yield();
        }
    }

    /** What a thread of its own comes to. */
    static <T> Future<T> inBackground(Callable<T> action) {
        var task = new FutureTask<>(action);
        Thread.ofVirtual().start(task);
        return task;
    }
}
