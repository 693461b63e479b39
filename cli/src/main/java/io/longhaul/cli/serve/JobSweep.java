// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

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

/** Removes the folders of jobs that have ended: at the start, and then now and then, also while no job runs. */
final class JobSweep implements AutoCloseable {
    static final Duration PERIOD = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(JobSweep.class);

    private final ShellBackend jobs;
    private final Tasks tasks;
    private final ScheduledExecutorService timer;
    private boolean isFirst = true;

    /**
     * What is known of the tasks of jobs.
     *
     * @param isQuick whether this is that of a job which runs inside its call now; the store knows nothing of it
     * @param node    of this server; empty where the store has no other
     */
    record Tasks(TaskStore store, Predicate<TaskId> isQuick, Optional<String> node) {

        boolean isLive(TaskId id) {
            return isQuick.test(id)
                    || store.find(id).filter(task -> !task.hasEndedWork()).isPresent();
        }

        boolean isKnown(TaskId id) {
            return store.find(id).isPresent();
        }

        /** Whether another node has the task, or has said how it ended. */
        boolean isElsewhere(TaskId id) {
            return store.find(id)
                    .filter(task -> task.hasEndedWork() || !isHere(task.tenure().lease()))
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
    static JobSweep every(Duration period, ShellBackend jobs, Tasks tasks) {
        var sweep = new JobSweep(jobs, tasks);
        sweep.timer.scheduleWithFixedDelay(sweep::run, 0, period.toMillis(), TimeUnit.MILLISECONDS);
        return sweep;
    }

    /** A sweep that fails is made again the next time. */
    private void run() {
        try {
            jobs.sweep(tasks::isLive, tasks::isKnown);
            // A node whose name was changed has its tasks back under the new one by then.
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
