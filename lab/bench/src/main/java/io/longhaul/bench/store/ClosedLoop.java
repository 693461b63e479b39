// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.store;

import com.sun.management.OperatingSystemMXBean;
import io.longhaul.bench.run.Latencies;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Repeats an action from many threads.
 *
 * @param threads the number of virtual threads
 */
public record ClosedLoop(int threads) {

    /**
     * For each input line with a number of milliseconds, repeats the action for that long. Then prints the count, the
     * duration in nanoseconds, the CPU time in nanoseconds, and the 50th and 99th percentile in microseconds.
     */
    public void answer(Runnable action) throws IOException, InterruptedException {
        System.out.println("ready");
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            var end =
                    System.nanoTime() + Duration.ofMillis(Long.parseLong(line)).toNanos();
            System.out.println(run(action, () -> System.nanoTime() - end < 0));
        }
    }

    /** Repeats the action while {@code more} is true, and gives the line that {@link #answer} prints. */
    public String run(Runnable action, BooleanSupplier more) throws InterruptedException {
        var latencies = new Latencies();
        var counting = new ReentrantLock();
        var done = new CountDownLatch(threads);
        var cpu = cpuNanos();
        var begun = System.nanoTime();
        for (var i = 0; i < threads; i++) {
            Thread.ofVirtual().start(() -> {
                try {
                    while (more.getAsBoolean()) {
                        var before = System.nanoTime();
                        action.run();
                        var took = System.nanoTime() - before;
                        counting.lock();
                        try {
                            latencies.add(took);
                        } finally {
                            counting.unlock();
                        }
                    }
                } finally {
                    done.countDown();
                }
            });
        }
        done.await();
        return latencies.count() + " " + (System.nanoTime() - begun) + " " + (cpuNanos() - cpu) + " "
                + latencies.micros(0.5) + " " + latencies.micros(0.99);
    }

    /** The CPU time of all threads of this process. Unlike a rate, it is meaningful on a machine with other load. */
    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
}
