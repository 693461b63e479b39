// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskEngine.Creation;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.FaultyTaskStore.Fault;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One world outside, one store, and one engine after the other. */
final class BackendWorld implements AutoCloseable {
    private static final Owner ANN = new Owner("ann");
    private static final String WORK = "job";

    private static final Instant NEVER = Instant.MAX.minus(Duration.ofDays(400));
    private static final int LOOK = 50;

    final BackendContract.Outside outside;

    private MemoryTaskStore store = new MemoryTaskStore();
    private @Nullable TaskEngine engine;
    private CountDownLatch died = new CountDownLatch(1);

    BackendWorld(BackendContract.Outside outside) {
        this.outside = outside;
    }

    void serve() throws Exception {
        serve(outside.newBackend(), change -> Fault.NONE);
    }

    /** Serves as a server that dies before it has stopped any work. */
    void serveWithoutStops() throws Exception {
        var backend = outside.newBackend();
        serve(
                new Backend() {
                    @Override
                    public Outcome run(Run run) throws Exception {
                        return backend.run(run);
                    }

                    @Override
                    public void stop(Run run) throws InterruptedException {
                        new CountDownLatch(1).await();
                    }
                },
                change -> Fault.NONE);
    }

    /** Serves until the server is about to write a handle for the {@code count}th time, or just has. */
    void serveUntilHandle(int count, boolean isWritten) throws Exception {
        var handles = new AtomicInteger();
        died = new CountDownLatch(1);
        var death = died;
        serve(outside.newBackend(), change -> {
            if (death.getCount() == 0) {
                return Fault.FAIL_BEFORE;
            }
            if (!savesHandle(change) || handles.incrementAndGet() < count) {
                return Fault.NONE;
            }
            death.countDown();
            return isWritten ? Fault.FAIL_AFTER : Fault.FAIL_BEFORE;
        });
    }

    private static boolean savesHandle(Change change) {
        var before = change.before();
        var handle = change.after().execution().handle();
        return handle != null
                && (before == null || !Objects.equals(handle, before.execution().handle()));
    }

    private void serve(Backend backend, Function<Change, Fault> faults) {
        var work = new Work(WORK, backend, CrashPolicy.REATTACH, null, Integer.MAX_VALUE);
        engine = DurableEngine.builder()
                .store(new FaultyTaskStore(store, faults))
                .work(work)
                .start();
    }

    /** Whether the server of {@link #serveUntilHandle} comes to its end before the task does. */
    boolean dies(TaskId task) throws InterruptedException {
        var now = find(task);
        while (died.getCount() > 0 && !now.state().isTerminal()) {
            var look = Instant.now().plusMillis(LOOK);
            now = engine().awaitChange(ANN, task, now.position().version(), look)
                    .orElseThrow();
        }
        return died.getCount() == 0;
    }

    /** The server is gone, and with it whatever it had not written. */
    void kill() {
        var dead = engine();
        store = store.reopen();
        engine = null;
        close(dead);
    }

    /** The threads of a dead engine find no store, and end. */
    private static void close(TaskEngine dead) {
        try {
            dead.close();
        } catch (StoreException cutOff) {
            // As it should be.
        }
    }

    void crash() throws Exception {
        kill();
        serve();
    }

    /** The server stops in order. */
    void stop() {
        engine().close();
        engine = null;
        store = store.reopen();
    }

    TaskId create() {
        var created = engine().create(new Creation(ANN, WORK, outside.request(), outside.origin(), null, null));
        return ((TaskEngine.Created.New) created).task().id();
    }

    void cancel(TaskId task) {
        engine().cancel(ANN, task, null);
    }

    void awaitRecorded(TaskId task) throws InterruptedException {
        await(task, now -> {
            var handle = now.execution().handle();
            return handle != null && outside.isBegun(handle);
        });
    }

    Task find(TaskId task) {
        return engine().find(ANN, task).orElseThrow();
    }

    Outcome outcome(TaskId task) throws InterruptedException {
        var ending = await(task, now -> now.state().isTerminal()).ending();
        return Objects.requireNonNull(ending).outcome();
    }

    Task awaitStopped(TaskId task) throws InterruptedException {
        return await(task, now -> now.ending() != null && now.ending().workEnded());
    }

    private Task await(TaskId task, Predicate<Task> wanted) throws InterruptedException {
        var now = find(task);
        while (!wanted.test(now)) {
            now = engine().awaitChange(ANN, task, now.position().version(), NEVER)
                    .orElseThrow();
        }
        return now;
    }

    private TaskEngine engine() {
        return Objects.requireNonNull(engine, "no server is there");
    }

    @Override
    public void close() throws Exception {
        if (engine != null) {
            engine.close();
        }
        outside.close();
    }
}
