// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.folder;

import io.longhaul.backend.shell.process.JobGroup;
import io.longhaul.backend.shell.process.Pause;
import io.longhaul.backend.shell.process.ProcessTable;
import io.longhaul.engine.task.TaskId;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the folders of jobs that have ended. A folder stays at least until the outcome of its job is certainly
 * committed: a crash before the commit would otherwise lose the result. Thread-safe.
 */
public final class JobCleaner {

    private static final Logger log = LoggerFactory.getLogger(JobCleaner.class);
    private static final Duration COMMITTED_AFTER = Duration.ofMinutes(1);

    private static final Duration GRACE = Duration.ofSeconds(5);

    private final Path jobs;
    private final ProcessTable processes;
    private final InstantSource clock;
    private final Queue<JobFolder> ended = new ConcurrentLinkedQueue<>();

    public JobCleaner(Path jobs, ProcessTable processes, InstantSource clock) {
        this.jobs = jobs;
        this.processes = processes;
        this.clock = clock;
    }

    /** Schedules the removal of a folder: the outcome of its job is about to be committed. */
    public void ended(JobFolder folder, Duration keep) throws IOException {
        var wait = keep.compareTo(COMMITTED_AFTER) < 0 ? COMMITTED_AFTER : keep;
        folder.saveRemovableAt(clock.instant().plus(wait));
        ended.add(folder.ofAttempt(1));
    }

    /** Removes the due folders of jobs that have ended in this process. */
    public void removeDue() {
        var later = new ArrayList<JobFolder>();
        for (var folder = ended.poll(); folder != null; folder = ended.poll()) {
            if (!removeIf(folder, this::isDue)) {
                later.add(folder);
            }
        }
        ended.addAll(later);
    }

    /**
     * Ends the jobs of tasks that another server has taken over, and removes their folders, except jobs that this
     * server has reported itself.
     */
    public void endForeign(Predicate<TaskId> isElsewhere) throws InterruptedException {
        for (var folder : folders()) {
            try {
                if (folder.removableAt().isEmpty() && isElsewhere.test(folder.task())) {
                    end(folder);
                }
            } catch (IOException e) {
                log.warn("the job in {} cannot be ended, whose task another server has", folder.path(), e);
            }
        }
    }

    private void end(JobFolder folder) throws IOException, InterruptedException {
        log.warn("the job of task {} is ended: another server has taken the task over", folder.task());
        for (var claim : folder.claims()) {
            new JobGroup(folder.task(), claim, processes, Pause.REAL).stopGroup(GRACE);
        }
        folder.remove();
    }

    /**
     * Removes the folders of all jobs that are due, or abandoned, or of removed tasks; never the folder of a live task.
     */
    public int sweep(Predicate<TaskId> isLive, Predicate<TaskId> isKnown) {
        var removed = 0;
        for (var folder : folders()) {
            if (isLive.test(folder.task())) {
                continue;
            }
            Condition condition = isKnown.test(folder.task()) ? this::isDueOrAbandoned : this::isAbandoned;
            if (removeIf(folder, condition)) {
                removed++;
            }
        }
        return removed;
    }

    private List<JobFolder> folders() {
        var folders = new ArrayList<JobFolder>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(jobs)) {
            for (var entry : entries) {
                var name = entry.getFileName().toString();
                if (TaskId.isWellFormed(name)) {
                    folders.add(new JobFolder(new TaskId(name), entry, 1));
                }
            }
        } catch (IOException e) {
            log.warn("cannot list the jobs in {}", jobs, e);
        }
        return folders;
    }

    private boolean isDue(JobFolder folder) throws IOException {
        var at = folder.removableAt();
        return at.isPresent() && !at.get().isAfter(clock.instant());
    }

    private boolean isDueOrAbandoned(JobFolder folder) throws IOException {
        return folder.removableAt().isPresent() ? isDue(folder) : isAbandoned(folder);
    }

    private boolean isAbandoned(JobFolder folder) throws IOException {
        return folder.claims().stream()
                .noneMatch(claim -> new JobGroup(folder.task(), claim, processes, Pause.REAL).isAlive());
    }

    private static boolean removeIf(JobFolder folder, Condition condition) {
        try {
            if (!folder.exists()) {
                return true;
            }
            if (!condition.holds(folder)) {
                return false;
            }
            folder.remove();
            return true;
        } catch (IOException e) {
            log.warn("cannot remove {}", folder.path(), e);
            return false;
        }
    }

    private interface Condition {
        boolean holds(JobFolder folder) throws IOException;
    }
}
