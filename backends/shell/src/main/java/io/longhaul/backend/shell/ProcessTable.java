// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import io.longhaul.engine.task.TaskId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The processes of this machine, zombies left out. Thread-safe. */
interface ProcessTable {

    /** Environment variable of every process of a job, with the id of its task. */
    String MARK = "LONGHAUL_TASK";

    /** The table of this operating system. */
    static ProcessTable ofThisMachine() {
        return Files.isReadable(Path.of("/proc/sys/kernel/random/boot_id")) ? new ProcFs() : new PosixPs();
    }

    /** What job.sh writes down of itself: different for every process that ever has this pid; empty for none. */
    Optional<String> identity(long pid);

    /** The pids in a process group. */
    Set<Long> group(long id);

    /** Whether the process is known to be of this task's job. */
    boolean isMarked(long pid, TaskId task);

    /** All processes that are known to be of this task's job, in whichever group; none where the system tells none. */
    Stream<ProcessHandle> marked(TaskId task);

    /** Different after each start of the machine; the same always where that cannot be told. */
    String boot();
}
