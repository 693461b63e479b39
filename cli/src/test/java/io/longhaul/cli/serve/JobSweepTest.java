// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.backend.shell.ShellBackend;
import io.longhaul.engine.task.TaskId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobSweepTest {
    private static final TaskId LIVE = new TaskId("a".repeat(TaskId.LENGTH));
    private static final TaskId ENDED = new TaskId("b".repeat(TaskId.LENGTH));

    @TempDir
    Path folder;

    @Test
    void folders_of_ended_jobs_go_again_and_again_and_those_of_live_ones_stay() throws Exception {
        var backend = ShellBackend.in(folder);
        var live = Files.createDirectory(folder.resolve(LIVE.toString()));
        var before = Files.createDirectory(folder.resolve(ENDED.toString()));
        assertThat(sweepsOf(backend)).isTrue();
        assertThat(before).doesNotExist();
        assertThat(live).exists();
    }

    /** Waits until the third sweep has begun, so that at least two are over. */
    private static boolean sweepsOf(ShellBackend backend) throws InterruptedException {
        var asked = new CountDownLatch(3);
        try (var sweep = JobSweep.every(
                Duration.ofMillis(1),
                backend,
                id -> {
                    if (id.equals(LIVE)) {
                        asked.countDown();
                    }
                    return id.equals(LIVE);
                },
                id -> true)) {
            return asked.await(60, TimeUnit.SECONDS);
        }
    }
}
