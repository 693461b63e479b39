// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.process;

import io.longhaul.engine.task.TaskId;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes of one job: its process group, and processes that have left it for a session of their own (setsid).
 * Signals are sent to the group only while it is certainly the group of the claim.
 */
public record JobGroup(TaskId task, Claim claim, ProcessTable processes, Pause pause) {

    private static final Logger log = LoggerFactory.getLogger(JobGroup.class);

    private static final Duration SHORTEST_LOOK = Duration.ofMillis(5);
    private static final Duration LONGEST_LOOK = Duration.ofMillis(200);
    private static final Duration TIMEOUT_AFTER_KILL = Duration.ofSeconds(10);

    /**
     * The kill of the shell, because not every machine has kill(1). The group is an argument, not part of the script.
     */
    private static final String KILL = "kill -s \"$1\" -- \"-$2\"";

    private static final File NOTHING = new File("/dev/null");

    /** Whether the shell of the job exists: the shell writes the exit code and ends last. */
    public boolean hasLeader() {
        return processes.identity(claim.pid()).filter(claim.identity()::equals).isPresent();
    }

    /** Whether a process of the job's group exists. */
    public boolean isAlive() {
        if (claim.isNobody()) {
            return false;
        }
        var holder = processes.identity(claim.pid());
        if (holder.isPresent()) {
            return holder.get().equals(claim.identity());
        }
        // Only the shell was killed. No new group can have its number while this group has members; a member's mark
        // proves that.
        return processes.group(claim.pid()).stream().anyMatch(pid -> processes.isMarked(pid, task));
    }

    /**
     * Asks all processes of the job to end, and kills them after {@code grace}. Returns when all of them have ended
     * that the system can identify.
     */
    public void stop(Duration grace) throws IOException, InterruptedException {
        if (isAnyAlive()) {
            signal("TERM");
            strays().forEach(ProcessHandle::destroy);
            if (!awaitEnd(this::isAnyAlive, grace)) {
                kill();
            }
        }
    }

    /** Kills all processes of the job. Returns when they have ended. */
    public void kill() throws IOException, InterruptedException {
        killGroup();
        while (isAnyAlive()) {
            strays().forEach(ProcessHandle::destroyForcibly);
            if (!awaitEnd(this::isAnyAlive, TIMEOUT_AFTER_KILL)) {
                log.warn("processes of task {} outside of its group do not end by KILL", task);
            }
        }
    }

    /** Kills only the group. Returns when it has ended. */
    public void killGroup() throws IOException, InterruptedException {
        while (isAlive()) {
            signal("KILL");
            if (!awaitEnd(this::isAlive, TIMEOUT_AFTER_KILL)) {
                log.warn("process group {} of task {} does not end by KILL", claim.pid(), task);
            }
        }
    }

    /** Stops only the group, because the same task may have another job on this machine. */
    public void stopGroup(Duration grace) throws IOException, InterruptedException {
        signal("TERM");
        if (!awaitEnd(this::isAlive, grace)) {
            killGroup();
        }
    }

    /**
     * Whether any process of the job exists. The search for strays, which reads all processes, follows only after the
     * group has ended.
     */
    private boolean isAnyAlive() {
        return isAlive() || strays().findAny().isPresent();
    }

    private Stream<ProcessHandle> strays() {
        var group = isAlive() ? processes.group(claim.pid()) : Set.of();
        return processes.marked(task).filter(process -> !group.contains(process.pid()));
    }

    private boolean awaitEnd(BooleanSupplier isThere, Duration timeout) throws InterruptedException {
        var look = SHORTEST_LOOK;
        var waited = Duration.ZERO;
        while (isThere.getAsBoolean()) {
            if (waited.compareTo(timeout) >= 0) {
                return false;
            }
            pause.await(look, new CompletableFuture<>());
            waited = waited.plus(look);
            look = look.compareTo(LONGEST_LOOK) < 0 ? look.multipliedBy(2) : look;
        }
        return true;
    }

    private void signal(String name) throws IOException, InterruptedException {
        if (!isAlive()) {
            return;
        }
        new ProcessBuilder("/bin/sh", "-c", KILL, "longhaul-kill", name, Long.toString(claim.pid()))
                .redirectInput(NOTHING)
                .redirectOutput(NOTHING)
                .redirectError(NOTHING)
                .start()
                .waitFor();
    }
}
