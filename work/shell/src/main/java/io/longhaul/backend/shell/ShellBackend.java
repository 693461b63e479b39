// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import io.longhaul.backend.shell.folder.JobCleaner;
import io.longhaul.backend.shell.process.Pause;
import io.longhaul.backend.shell.process.ProcessTable;
import io.longhaul.backend.shell.said.SaidFormat;
import io.longhaul.backend.shell.start.JobStarter;
import io.longhaul.engine.run.ArgumentReader;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.store.PrivateFiles;
import io.longhaul.engine.task.TaskId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Runs commands as jobs that outlive this process. Thread-safe.
 *
 * <p>A job runs detached, in a session and process group of its own. A folder named after its task has its output, and
 * its exit code once it has ended. Register its {@link Backend} under
 * {@link io.longhaul.engine.task.CrashPolicy#REATTACH}: the next server finds the job by process id and start time, and
 * goes on following it. A command is never begun twice for one task, unless the command allows that.
 *
 * <p>Processes that a job leaves in its process group end with the job. Processes that have moved to a session of their
 * own (setsid) end when the job is stopped, is lost or fails, where the system shows the environment of processes, as
 * Linux does in {@code /proc}: {@code LONGHAUL_TASK} identifies their task. After a success they go on as intended
 * daemons.
 */
public final class ShellBackend {

    /** The collaborators that all jobs of one folder share. */
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
     * A backend that keeps the folders of jobs in {@code jobs}, which is created for this user only. One server at a
     * time uses that folder.
     *
     * @throws IOException when the folder cannot be created, when other users can write it, or when this machine cannot
     *                     run jobs, which need a POSIX shell, and setsid or perl
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
        return new CommandBackend(machinery, command, reader, writer, null, new ConcurrentHashMap<>());
    }

    /** As {@link #running(ShellCommand, ArgumentReader, ResultWriter)}, for a command that speaks to its task. */
    public Backend running(
            ShellCommand command,
            ArgumentReader<Map<String, List<String>>> reader,
            ResultWriter writer,
            SaidFormat said) {
        return new CommandBackend(machinery, command, reader, writer, said, new ConcurrentHashMap<>());
    }

    /** Follows jobs whose commands are not known any more to their ends; starts none. */
    public Backend following(ResultWriter writer) {
        var any = ShellCommand.program("true").messageLines(0).build();
        return new LeftJobs(
                new CommandBackend(machinery, any, request -> Map.of(), writer, null, new ConcurrentHashMap<>()));
    }

    /**
     * Ends local jobs of tasks that another server has taken over, and removes their folders: such jobs went on while
     * this server counted as dead. Call this method periodically where several servers share one store.
     *
     * @param isElsewhere whether another server has this task, or has ended it
     */
    public void endForeign(Predicate<TaskId> isElsewhere) throws InterruptedException {
        machinery.cleaner().endForeign(isElsewhere);
    }

    /**
     * Removes the folders of jobs that have ended some time ago ({@link ShellCommand.Builder#keep}), were abandoned, or
     * belong to a removed task. Call this method when the engine has started, and then periodically.
     *
     * @param isLive  whether the work of this task has not ended; then its folder stays
     * @param isKnown whether the task still exists; without its task, a folder is removed once its processes have ended
     * @return the number of removed folders
     */
    public int sweep(Predicate<TaskId> isLive, Predicate<TaskId> isKnown) {
        return machinery.cleaner().sweep(isLive, isKnown);
    }
}
