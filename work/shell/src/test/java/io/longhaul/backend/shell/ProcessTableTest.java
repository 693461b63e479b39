// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.longhaul.backend.shell.folder.JobFolder;
import io.longhaul.backend.shell.process.JobGroup;
import io.longhaul.backend.shell.process.Pause;
import io.longhaul.backend.shell.process.PosixPs;
import io.longhaul.backend.shell.process.ProcessTable;
import io.longhaul.backend.shell.start.JobScript;
import io.longhaul.backend.shell.start.JobStarter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProcessTableTest {

    static Stream<ProcessTable> tables() {
        return Stream.of(ProcessTable.ofThisMachine(), new PosixPs());
    }

    @ParameterizedTest
    @MethodSource("tables")
    void a_process_keeps_its_identity_and_loses_it_at_its_end(ProcessTable table) throws Exception {
        assumeTrue(hasPs());
        var process = sleeper();
        var identity = table.identity(process.pid());
        assertThat(identity).isPresent().isEqualTo(table.identity(process.pid()));
        process.destroyForcibly().waitFor();
        assertThat(table.identity(process.pid())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("tables")
    void a_group_has_its_members(ProcessTable table) throws Exception {
        assumeTrue(hasPs());
        var process = sleeper();
        try {
            assertThat(tables().flatMap(any -> any.group(process.pid()).stream()))
                    .containsOnly(process.pid())
                    .hasSize(2);
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(table.group(process.pid())).isEmpty();
    }

    @Test
    void without_proc_the_shell_of_a_job_writes_down_what_ps_says_of_it(@TempDir Path jobs) throws Exception {
        assumeTrue(hasPs());
        var folder = JobFolder.of(jobs, Jobs.ID, 1);
        folder.create();
        var line = new ArrayList<>(
                JobStarter.throughSetsid().or(JobStarter::throughPerl).orElseThrow());
        var script = Files.writeString(jobs.resolve("job.sh"), JobScript.TEXT.replace("/proc/", "/no-such-folder/"));
        var arguments = List.of(folder.path().toString(), "262144", "output", "0", "0", "plain", "sleep", "1000");
        line.addAll(List.of("/bin/sh", script.toString()));
        line.addAll(arguments);
        var shell = new ProcessBuilder(line).start();
        var claim = JobWatch.awaitClaim(folder, shell, Pause.REAL);
        var group = new JobGroup(Jobs.ID, claim, new PosixPs(), Pause.REAL);
        assertThat(group.isAlive()).isTrue();
        group.stop(Duration.ofSeconds(5));
        assertThat(shell.waitFor()).isNotZero();
        assertThat(folder.exitCode()).contains(128 + 15);
    }

    private static boolean hasPs() {
        return Stream.of("/bin/ps", "/usr/bin/ps")
                .anyMatch(ps -> Path.of(ps).toFile().canExecute());
    }

    /** A process that leads a group; it has said so when this returns. */
    private static Process sleeper() throws Exception {
        var line = new ArrayList<>(
                JobStarter.throughSetsid().or(JobStarter::throughPerl).orElseThrow());
        line.addAll(List.of("/bin/sh", "-c", "echo begun; exec sleep 1000"));
        var process = new ProcessBuilder(line).start();
        assertThat(process.inputReader().readLine()).isEqualTo("begun");
        return process;
    }
}
