// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.process;

import io.longhaul.engine.task.TaskId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads processes from ps(1), for systems without a readable /proc. The identity of a process is its start time to the
 * second, in UTC.
 */
public final class PosixPs implements ProcessTable {

    @Override
    public Optional<String> identity(long pid) {
        return ps("-o", "stat=,lstart=", "-p", Long.toString(pid))
                .map(line -> line.split(" ", 2))
                .filter(fields -> !fields[0].startsWith("Z"))
                .map(fields -> "ps:" + fields[1])
                .findFirst();
    }

    @Override
    public Set<Long> group(long id) {
        return ps("-A", "-o", "pid=,pgid=,stat=")
                .map(line -> line.split(" "))
                .filter(fields -> fields[1].equals(Long.toString(id)) && !fields[2].startsWith("Z"))
                .map(fields -> Long.valueOf(fields[0]))
                .collect(Collectors.toSet());
    }

    @Override
    public boolean isMarked(long pid, TaskId task) {
        return false;
    }

    @Override
    public Stream<ProcessHandle> marked(TaskId task) {
        return Stream.empty();
    }

    @Override
    public String boot() {
        return "-";
    }

    private static Stream<String> ps(String... arguments) {
        var command = new ProcessBuilder("ps").redirectError(ProcessBuilder.Redirect.DISCARD);
        command.command().addAll(List.of(arguments));
        command.environment().put("LC_ALL", "C");
        command.environment().put("TZ", "UTC0");
        try {
            var process = command.start();
            process.getOutputStream().close();
            try (var output = process.getInputStream()) {
                var lines = new String(output.readAllBytes(), StandardCharsets.ISO_8859_1).lines();
                return lines.map(line -> line.strip().replaceAll("\\s+", " ")).filter(line -> !line.isEmpty());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
