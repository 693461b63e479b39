// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The real time: one daemon thread watches all alarms, and each action runs on a virtual thread of its own. */
public final class SystemTime implements TaskTime, AutoCloseable {

    private static final Duration FARTHEST = Duration.ofDays(36_500);

    private final ScheduledThreadPoolExecutor clock;

    public SystemTime() {
        clock = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().name("longhaul-alarms").daemon(true).factory());
        clock.setRemoveOnCancelPolicy(true);
        clock.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        clock.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public Alarm at(Instant when, Runnable action) {
        var wait = Duration.between(now(), when);
        var bounded = wait.isNegative() ? Duration.ZERO : wait.compareTo(FARTHEST) > 0 ? FARTHEST : wait;
        var pending = clock.schedule(() -> start(action), bounded.toNanos(), TimeUnit.NANOSECONDS);
        return () -> pending.cancel(false);
    }

    private static void start(Runnable action) {
        Thread.ofVirtual().name("alarm").start(action);
    }

    /** Cancels every pending alarm. An alarm that is set afterwards never fires. */
    @Override
    public void close() {
        clock.shutdownNow();
    }
}
