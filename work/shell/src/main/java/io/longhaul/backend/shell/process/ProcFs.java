// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.process;

import io.longhaul.engine.task.TaskId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads processes from /proc of Linux (proc(5)). The identity of a process is the id of the boot and its start time in
 * ticks since the boot.
 */
public final class ProcFs implements ProcessTable {

    private static final Path PROC = Path.of("/proc");

    /** Indexes of fields after the name of the program, which can contain any character. */
    private static final int STATE = 0;

    private static final int GROUP = 2;
    private static final int START_TIME = 19;

    private final String boot;

    ProcFs() {
        try {
            boot = Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<String> identity(long pid) {
        return stat(PROC.resolve(Long.toString(pid))).map(stat -> "linux:" + boot + ":" + stat[START_TIME]);
    }

    @Override
    public Set<Long> group(long id) {
        var wanted = Long.toString(id);
        var members = new HashSet<Long>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (var process : processes) {
                if (stat(process).filter(stat -> stat[GROUP].equals(wanted)).isPresent()) {
                    members.add(Long.parseLong(process.getFileName().toString()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return members;
    }

    @Override
    public boolean isMarked(long pid, TaskId task) {
        try {
            var environment = Files.readAllBytes(PROC.resolve(pid + "/environ"));
            var variables = new String(environment, StandardCharsets.ISO_8859_1).split("\0");
            return Arrays.asList(variables).contains(MARK + "=" + task);
        } catch (IOException goneOrNotOurs) {
            return false;
        }
    }

    /** A handle knows the start time of its process, so that no signal reaches a later process with the same pid. */
    @Override
    public Stream<ProcessHandle> marked(TaskId task) {
        return ProcessHandle.allProcesses().filter(process -> isMarked(process.pid(), task));
    }

    @Override
    public String boot() {
        return boot;
    }

    private static Optional<String[]> stat(Path process) {
        try {
            var line = new String(Files.readAllBytes(process.resolve("stat")), StandardCharsets.ISO_8859_1);
            var fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
            return fields[STATE].matches("[ZXx]") ? Optional.empty() : Optional.of(fields);
        } catch (IOException gone) {
            return Optional.empty();
        }
    }
}
