// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import io.longhaul.backend.shell.ShellBackend;
import io.longhaul.engine.task.TaskId;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes the folders of jobs that have ended: at the start, and then now and then, also while no job runs. */
final class JobSweep implements AutoCloseable {
    static final Duration PERIOD = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(JobSweep.class);

    private final ShellBackend jobs;
    private final Predicate<TaskId> isLive;
    private final Predicate<TaskId> isKnown;
    private final ScheduledExecutorService timer;

    private JobSweep(ShellBackend jobs, Predicate<TaskId> isLive, Predicate<TaskId> isKnown) {
        this.jobs = jobs;
        this.isLive = isLive;
        this.isKnown = isKnown;
        this.timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("sweep-jobs").factory());
    }

    /** Sweeps at once, and again after each {@code period}; see {@link ShellBackend#sweep}. */
    static JobSweep every(Duration period, ShellBackend jobs, Predicate<TaskId> isLive, Predicate<TaskId> isKnown) {
        var sweep = new JobSweep(jobs, isLive, isKnown);
        sweep.timer.scheduleWithFixedDelay(sweep::run, 0, period.toMillis(), TimeUnit.MILLISECONDS);
        return sweep;
    }

    /** A sweep that fails is made again the next time. */
    private void run() {
        try {
            jobs.sweep(isLive, isKnown);
        } catch (RuntimeException e) {
            if (!timer.isShutdown()) {
                log.warn("the folders of ended jobs could not be removed", e);
            }
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
