// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine;

import io.longhaul.engine.TaskEngine.Creation;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
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
public final class TestEngine implements AutoCloseable {
    public static final Owner ANN = new Owner("ann");
    public static final Instant NEVER = Instant.MAX.minus(Duration.ofDays(400));
    /** For tests where time does not matter. */
    public static final TaskTime NO_TIME = new TaskTime() {
        @Override
        public Instant now() {
            return FakeTime.START;
        }

        @Override
        public Alarm at(Instant when, Runnable action) {
            throw new AssertionError("no alarm is needed");
        }
    };

    public static final Duration STEP = Duration.ofMillis(100);
    public static final TaskLimits LIMITS =
            TaskLimits.builder().handBackGrace(Duration.ofMillis(200)).build();

    public final FakeTime time;
    public final MemoryTaskStore store;
    public final TaskEngine engine;

    public TestEngine(Work... works) {
        this(new FakeTime(), new MemoryTaskStore(), LIMITS, works);
    }

    public TestEngine(FakeTime time, MemoryTaskStore store, TaskLimits limits, Work... works) {
        this(time, store, store, limits, works);
    }

    /** {@code seen} is what the engine writes to: {@code store} itself, or something around it that fails. */
    public TestEngine(FakeTime time, MemoryTaskStore store, TaskStore seen, TaskLimits limits, Work... works) {
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
    public TestEngine crash(Work... works) {
        return new TestEngine(time, store.reopen(), engine.limits(), works);
    }

    public static Work work(String name, Backend backend) {
        return new Work(name, backend, CrashPolicy.FAIL, null, Integer.MAX_VALUE);
    }

    public static Work work(String name, CrashPolicy policy, Backend backend) {
        return new Work(name, backend, policy, null, Integer.MAX_VALUE);
    }

    /** Work that ends when {@code go} opens. */
    public static Backend held(CountDownLatch go, String result) {
        return run -> {
            go.await();
            return result(result);
        };
    }

    public static Payload text(String text) {
        return Payload.ofText(text);
    }

    public static Outcome result(String text) {
        return new Outcome.Result(text(text), false);
    }

    public static Creation creation(String work) {
        return creation(work, null, null);
    }

    public static Creation creation(String work, @Nullable CreationKey key, @Nullable Retention retention) {
        return new Creation(ANN, work, text("{}"), Payload.EMPTY, key, retention);
    }

    public Task create(String work) {
        return ((TaskEngine.Created.New) engine.create(creation(work))).task();
    }

    public Task find(Task task) {
        return engine.find(ANN, task.id()).orElseThrow();
    }

    public Task await(Task task, Predicate<Task> wanted) throws InterruptedException {
        return await(task.id(), wanted);
    }

    public Task await(TaskId id, Predicate<Task> wanted) throws InterruptedException {
        var now = engine.find(ANN, id).orElseThrow();
        while (!wanted.test(now)) {
            now = engine.awaitChange(ANN, id, now.position().version(), NEVER).orElseThrow();
        }
        return now;
    }

    public Task awaitEnd(Task task) throws InterruptedException {
        return await(task, now -> now.state().isTerminal());
    }

    public Task awaitStopped(Task task) throws InterruptedException {
        return await(task, now -> now.ending() != null && now.ending().workEnded());
    }

    public Task awaitQuestion(Task task) throws InterruptedException {
        return await(task, now -> !now.outstanding().isEmpty());
    }

    public List<EventDetail> history(Task task) {
        return engine.history(ANN, task.id(), 0, 1_000).stream()
                .map(TaskEvent::what)
                .toList();
    }

    public static Outcome outcome(Task task) {
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
    public static void pass(FakeTime time) {
        int alarms = time.alarms();
        time.advance(STEP);
        long until = System.nanoTime() + 50_000_000;
        while (time.alarms() < alarms && System.nanoTime() < until) {
            Thread.yield();
        }
    }

    /** What a thread of its own comes to. */
    public static <T> Future<T> inBackground(Callable<T> action) {
        var task = new FutureTask<>(action);
        Thread.ofVirtual().start(task);
        return task;
    }
}
