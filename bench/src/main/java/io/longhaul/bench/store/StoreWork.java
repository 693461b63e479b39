// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.store;

import com.sun.management.OperatingSystemMXBean;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.task.Attempts;
import io.longhaul.engine.task.Happening;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Stamp;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.engine.task.TaskState;
import io.longhaul.engine.task.TaskStatus;
import io.longhaul.engine.task.Tenure;
import io.longhaul.store.jdbc.SqliteTaskStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Writes to a store, or reads from it, from many threads at once. For each line with a number of milliseconds it does
 * so for that long, and prints how often, in how many nanoseconds, and how many nanoseconds of CPU that has taken.
 */
final class StoreWork {

    private static final int REQUEST_BYTES = 600;
    private static final Instant NOW = Instant.now();

    private final AtomicLong ids = new AtomicLong();

    private StoreWork() {}

    /** @param args {@code append}, {@code commit} or {@code read}; the file; the threads; how many tasks to read */
    public static void main(String[] args) throws Exception {
        var file = Path.of(args[1]);
        var threads = Integer.parseInt(args[2]);
        if (args[0].equals("append")) {
            try (var appended = new AppendedFile(file)) {
                answer(threads, () -> appended.append(REQUEST_BYTES));
            }
            return;
        }
        var work = new StoreWork();
        try (var store = SqliteTaskStore.at(file)) {
            var lease = store.join("bench", NOW);
            if (args[0].equals("commit")) {
                answer(threads, () -> commit(store, work.creation(lease)));
            } else {
                var tasks = Integer.parseInt(args[3]);
                work.fill(store, lease, threads, tasks);
                answer(threads, () -> look(store, tasks));
            }
        }
    }

    private static void answer(int threads, Runnable action) throws IOException, InterruptedException {
        System.out.println("ready");
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            var end =
                    System.nanoTime() + Duration.ofMillis(Long.parseLong(line)).toNanos();
            var cpu = cpuNanos();
            var begun = System.nanoTime();
            var count = many(threads, action, () -> System.nanoTime() - end < 0);
            System.out.println(count + " " + (System.nanoTime() - begun) + " " + (cpuNanos() - cpu));
        }
    }

    private void fill(SqliteTaskStore store, Lease lease, int threads, int tasks) throws InterruptedException {
        var left = new AtomicLong(tasks);
        many(threads, () -> commit(store, creation(lease)), () -> left.getAndDecrement() > 0);
    }

    /** Gives how often the action was run. */
    private static long many(int threads, Runnable action, BooleanSupplier more) throws InterruptedException {
        var count = new AtomicLong();
        var done = new CountDownLatch(threads);
        for (var i = 0; i < threads; i++) {
            Thread.ofVirtual().start(() -> {
                while (more.getAsBoolean()) {
                    action.run();
                    count.incrementAndGet();
                }
                done.countDown();
            });
        }
        done.await();
        return count.get();
    }

    private static void commit(SqliteTaskStore store, Change change) {
        if (!(store.commit(change) instanceof CommitResult.Committed)) {
            throw new IllegalStateException("not committed: " + change);
        }
    }

    /** Looks at a task at random. */
    private static void look(SqliteTaskStore store, int tasks) {
        var id = id(ThreadLocalRandom.current().nextLong(tasks));
        if (store.find(id).isEmpty()) {
            throw new IllegalStateException("task " + id + " is gone");
        }
    }

    /** What a creation whose slot is free writes: the task, its claim and its first two events. */
    private Change creation(Lease lease) {
        var id = id(ids.getAndIncrement());
        var request = Payload.of(new byte[REQUEST_BYTES]);
        var spec = new TaskSpec(Owner.LOCAL, "bench", request, Payload.EMPTY, null, NOW);
        var retention = Retention.fromCreation(Duration.ofDays(1));
        var status = new TaskStatus(TaskState.WORKING, null, null, List.of(), null, retention);
        var tenure = new Tenure(lease, new Attempts(1, 0), null);
        var events = List.of(
                new TaskEvent(1, NOW, new Happening.Created()), new TaskEvent(2, NOW, new Happening.Started(1)));
        return new Change(null, new Task(id, spec, status, tenure, new Stamp(1, 2, NOW)), events, lease);
    }

    private static TaskId id(long number) {
        var digits = Long.toString(number, 32);
        return new TaskId("0".repeat(TaskId.LENGTH - digits.length()) + digits);
    }

    /** Of all threads of this process: unlike a rate it holds on a machine that does other things too. */
    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
}
