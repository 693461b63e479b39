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
 * Does the same from many threads, over and over.
 *
 * @param threads virtual ones
 */
public record ClosedLoop(int threads) {

    /**
     * For each line with a number of milliseconds it does so for that long, and prints how often, in how many
     * nanoseconds, how many nanoseconds of CPU that has taken, and the 50th and 99th percentile in microseconds.
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

    /** Does so as long as there is more, and gives what {@link #answer} prints. */
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

    /** Of all threads of this process: unlike a rate it holds on a machine that does other things too. */
    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
}
