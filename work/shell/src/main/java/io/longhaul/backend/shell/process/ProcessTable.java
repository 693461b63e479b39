// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.process;

import io.longhaul.engine.task.TaskId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The processes of this machine, except zombies. Thread-safe. */
public interface ProcessTable {

    /** The environment variable of every process of a job, with the id of its task. */
    String MARK = "LONGHAUL_TASK";

    /** The table of this operating system. */
    static ProcessTable ofThisMachine() {
        return Files.isReadable(Path.of("/proc/sys/kernel/random/boot_id")) ? new ProcFs() : new PosixPs();
    }

    /**
     * The identity that job.sh writes into its claim: different for each process that ever has this pid; empty for no
     * process.
     */
    Optional<String> identity(long pid);

    /** The pids in a process group. */
    Set<Long> group(long id);

    /** Whether the process is known to belong to this task's job. */
    boolean isMarked(long pid, TaskId task);

    /**
     * All processes that are known to belong to this task's job, in any group; none where the system does not show
     * environments.
     */
    Stream<ProcessHandle> marked(TaskId task);

    /** The id of the present boot of the machine; a constant where the system has none. */
    String boot();
}
