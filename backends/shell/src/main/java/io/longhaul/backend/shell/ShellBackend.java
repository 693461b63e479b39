// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import io.longhaul.engine.run.ArgumentReader;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.store.PrivateFiles;
import io.longhaul.engine.task.TaskId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Runs commands as jobs that outlive this process. Thread-safe.
 *
 * <p>A job runs detached, in a session and process group of its own, with its output in files of a folder named
 * after its task, and its exit code written there when it ends. Register its {@link Backend} under
 * {@link io.longhaul.engine.task.CrashPolicy#REATTACH}: the next server finds the job by process id and start time, and
 * goes on following it. A command is never begun twice for one task, unless it says that it may be.
 *
 * <p>What a job leaves behind in its process group ends with it. What it has moved into a session of its own (setsid)
 * ends with a job that is stopped, is lost or fails, where the system shows the environment of processes, as Linux does
 * in {@code /proc}: {@code LONGHAUL_TASK} tells whose it is. After a success it goes on, as a daemon that was meant.
 */
public final class ShellBackend {

    /** What all jobs of one folder share. */
    record Machinery(
            Path jobs,
            JobStarter starter,
            ProcessTable processes,
            Pause pause,
            InstantSource clock,
            JobCleaner cleaner) {}

    private final Machinery machinery;

    ShellBackend(Machinery machinery) {
        this.machinery = machinery;
    }

    /**
     * Keeps the folders of jobs under {@code jobs}, which is created for this user alone. One server uses it at a time.
     *
     * @throws IOException when it cannot be created, other users can write it, or this machine cannot run jobs: that
     *         needs a POSIX shell, and setsid or perl
     */
    public static ShellBackend in(Path jobs) throws IOException {
        var processes = ProcessTable.ofThisMachine();
        return in(jobs, JobStarter.onThisMachine(), processes, Pause.REAL, InstantSource.system());
    }

    static ShellBackend in(Path jobs, JobStarter starter, ProcessTable processes, Pause pause, InstantSource clock)
            throws IOException {
        PrivateFiles.createFolder(jobs);
        var cleaner = new JobCleaner(jobs, processes, clock);
        return new ShellBackend(new Machinery(jobs, starter, processes, pause, clock, cleaner));
    }

    /** The backend of one command. */
    public Backend running(
            ShellCommand command, ArgumentReader<Map<String, List<String>>> reader, ResultWriter writer) {
        return new ShellJobs(machinery, command, reader, writer);
    }

    /**
     * Ends the jobs here of tasks that another server has taken over, and removes their folders: while this one was
     * taken for dead they went on. Call it now and then where several servers have one store.
     *
     * @param isElsewhere whether another server has this task, or has said how it ended
     */
    public void endForeign(Predicate<TaskId> isElsewhere) throws InterruptedException {
        machinery.cleaner().endForeign(isElsewhere);
    }

    /**
     * Removes the folders of jobs that have ended some time ago ({@link ShellCommand.Builder#keep}), were abandoned, or
     * belong to a task that was deleted. Call it when the engine has started, and now and then.
     *
     * @param isLive  whether the work of this task has not ended; its folder then stays
     * @param isKnown whether the task is still there; the folder of one that was deleted, or is past its retention,
     *                goes at once
     * @return how many it removed
     */
    public int sweep(Predicate<TaskId> isLive, Predicate<TaskId> isKnown) {
        return machinery.cleaner().sweep(isLive, isKnown);
    }
}
