// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.job;

import io.longhaul.backend.shell.ShellBackend;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.TaskId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes the folders of ended jobs: at the start, and then periodically, even while no job runs. */
public final class JobSweep implements AutoCloseable {
    public static final Duration PERIOD = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(JobSweep.class);

    private final ShellBackend jobs;
    private final Tasks tasks;
    private final ScheduledExecutorService timer;
    private boolean isFirst = true;

    /**
     * The state of the tasks of jobs.
     *
     * @param isQuick whether the id belongs to a job that runs inside its call now, and that the store does not know
     * @param node    the name of this server's node; empty where the store is not shared
     */
    public record Tasks(TaskStore store, Predicate<TaskId> isQuick, Optional<String> node) {

        boolean isLive(TaskId id) {
            return isQuick.test(id)
                    || store.find(id).filter(task -> !task.hasEndedWork()).isPresent();
        }

        boolean isKnown(TaskId id) {
            return store.find(id).isPresent();
        }

        /** Whether another node has the task, or its work has ended. */
        boolean isElsewhere(TaskId id) {
            return store.find(id)
                    .filter(task ->
                            task.hasEndedWork() || !isHere(task.execution().lease()))
                    .isPresent();
        }

        private boolean isHere(@Nullable Lease lease) {
            return lease == null || node.filter(lease.node()::equals).isPresent();
        }
    }

    private JobSweep(ShellBackend jobs, Tasks tasks) {
        this.jobs = jobs;
        this.tasks = tasks;
        this.timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("sweep-jobs").factory());
    }

    /** Sweeps at once, and again after each {@code period}; see {@link ShellBackend#sweep}. */
    public static JobSweep every(Duration period, ShellBackend jobs, Tasks tasks) {
        var sweep = new JobSweep(jobs, tasks);
        sweep.timer.scheduleWithFixedDelay(sweep::run, 0, period.toMillis(), TimeUnit.MILLISECONDS);
        return sweep;
    }

    /** Sweeps once; after a failure, the next sweep tries again. */
    private void run() {
        try {
            jobs.sweep(tasks::isLive, tasks::isKnown);
            // By the second sweep, a node with a changed name has its tasks back under the new name.
            if (!isFirst && tasks.node().isPresent()) {
                jobs.endForeign(tasks::isElsewhere);
            }
            isFirst = false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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
