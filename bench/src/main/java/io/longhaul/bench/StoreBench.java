package io.longhaul.bench;

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
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A quick look at how many durable commits a second the SQLite store makes, and what a read costs, and how fast it
 * takes over the tasks of a dead process. Give it the folder to write to: its disk is what is measured.
 */
final class StoreBench {
    private static final int REQUEST_BYTES = 600;
    private static final int LIVE_TASKS = 100_000;
    private static final int CLAIM_BATCH = 1_000;
    private static final int THREADS = 64;
    private static final int READS = 100_000;
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final Duration MEASURED = Duration.ofSeconds(5);
    private static final Instant NOW = Instant.now();

    private final AtomicLong ids = new AtomicLong();

    private StoreBench() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var folder = Files.createTempDirectory(Path.of(arguments.length == 0 ? "." : arguments[0]), "store-bench");
        try {
            var bench = new StoreBench();
            bench.commits(folder);
            var file = folder.resolve("takeover.db");
            var first = bench.fill(file);
            bench.reads(file, first);
            bench.takeover(file);
        } finally {
            deleteAll(folder);
        }
    }

    private void commits(Path folder) throws InterruptedException {
        for (var writers : new int[] {64, 1, 64, 256}) {
            var file = folder.resolve("commits-" + ids.get() + ".db");
            try (var store = SqliteTaskStore.at(file)) {
                var lease = store.join("bench", NOW);
                rate(store, lease, writers, WARM_UP);
                var cpu = cpuNanos();
                var before = ids.get();
                var rate = rate(store, lease, writers, MEASURED);
                var cpuEach = (cpuNanos() - cpu) / 1e3 / (ids.get() - before);
                System.out.printf("%4d writers: %,9.0f commits/s, %.1f us CPU each%n", writers, rate, cpuEach);
            }
        }
    }

    private double rate(SqliteTaskStore store, Lease lease, int writers, Duration duration)
            throws InterruptedException {
        var commits = new AtomicLong();
        var done = new CountDownLatch(writers);
        var start = System.nanoTime();
        var end = start + duration.toNanos();
        for (var i = 0; i < writers; i++) {
            Thread.ofVirtual().start(() -> {
                while (System.nanoTime() < end) {
                    commit(store, creation(lease));
                    commits.incrementAndGet();
                }
                done.countDown();
            });
        }
        done.await();
        return commits.get() * 1e9 / (System.nanoTime() - start);
    }

    /** Leaves tasks as a dead process does, and gives the number of the first of them. */
    private long fill(Path file) throws InterruptedException {
        var first = ids.get();
        try (var store = SqliteTaskStore.at(file)) {
            var lease = store.join("dead", NOW);
            many(LIVE_TASKS, () -> commit(store, creation(lease)));
        }
        return first;
    }

    /** Looks at tasks at random, of which there are more than the caches hold. */
    private void reads(Path file, long first) throws InterruptedException {
        try (var store = SqliteTaskStore.at(file)) {
            Runnable look = () -> {
                var id = id(ThreadLocalRandom.current().nextLong(first, first + LIVE_TASKS));
                if (store.find(id).isEmpty()) {
                    throw new IllegalStateException("task " + id + " is gone");
                }
            };
            many(READS / 10, look);
            var cpu = cpuNanos();
            many(READS, look);
            System.out.printf("%,d random reads: %.1f us CPU each%n", READS, (cpuNanos() - cpu) / 1e3 / READS);
        }
    }

    private static void many(int count, Runnable action) throws InterruptedException {
        var left = new AtomicLong(count);
        var done = new CountDownLatch(THREADS);
        for (var i = 0; i < THREADS; i++) {
            Thread.ofVirtual().start(() -> {
                while (left.getAndDecrement() > 0) {
                    action.run();
                }
                done.countDown();
            });
        }
        done.await();
    }

    private void takeover(Path file) {
        var cpu = cpuNanos();
        var start = System.nanoTime();
        try (var store = SqliteTaskStore.at(file)) {
            var lease = store.join("next", NOW);
            var taken = 0;
            for (var batch = store.claim(lease, CLAIM_BATCH, NOW);
                    !batch.isEmpty();
                    batch = store.claim(lease, CLAIM_BATCH, NOW)) {
                taken += batch.size();
            }
            System.out.printf(
                    "open and take over %,d live tasks: %,d ms, %,d ms CPU%n",
                    taken, (System.nanoTime() - start) / 1_000_000, (cpuNanos() - cpu) / 1_000_000);
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

    private static void commit(SqliteTaskStore store, Change change) {
        if (!(store.commit(change) instanceof CommitResult.Committed)) {
            throw new IllegalStateException("not committed: " + change);
        }
    }

    private static void deleteAll(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (var file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
