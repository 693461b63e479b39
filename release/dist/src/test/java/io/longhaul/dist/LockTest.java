// SPDX-License-Identifier: Apache-2.0
package io.longhaul.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lock of the first start, which one process takes that makes class archives. */
class LockTest {
    private static final Path START = Path.of("../../.ci/start.sh").toAbsolutePath();

    @TempDir
    Path folder;

    private Path lock;

    @BeforeEach
    void name() {
        lock = folder.resolve("longhaul.lock");
    }

    @Test
    void a_free_lock_is_taken_and_given_back() throws Exception {
        assertThat(taken("")).isTrue();
        assertThat(lock).doesNotExist();
    }

    @Test
    void a_lock_of_a_process_that_runs_is_held_and_that_of_a_dead_one_is_not() throws Exception {
        Files.writeString(lock, ProcessHandle.current().pid() + "\n");
        assertThat(taken("")).isFalse();
        var dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Files.writeString(lock, dead.pid() + "\n");
        assertThat(taken("")).isTrue();
    }

    @Test
    void a_lock_that_is_older_than_any_build_is_taken_though_a_process_has_the_number_of_its_owner() throws Exception {
        Files.writeString(lock, ProcessHandle.current().pid() + "\n");
        Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minus(Duration.ofMinutes(32))));
        assertThat(taken("")).isTrue();
    }

    @Test
    void a_lock_without_an_owner_is_held_for_a_minute() throws Exception {
        Files.createFile(lock);
        assertThat(taken("")).isFalse();
        Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minus(Duration.ofMinutes(3))));
        assertThat(taken("")).isTrue();
    }

    @Test
    void a_disk_without_room_has_no_lock_and_keeps_nothing_of_it() throws Exception {
        var full = "trap '' XFSZ; ulimit -f 0; ";
        assertThat(taken(full)).isFalse();
        assertThat(lock).doesNotExist();
        assertThat(says(full + "can_write " + folder.resolve("cache"))).isFalse();
        assertThat(folder.resolve("cache")).isEmptyDirectory();
        assertThat(says("can_write " + folder.resolve("cache"))).isTrue();
        assertThat(folder.resolve("cache")).isEmptyDirectory();
    }

    private boolean taken(String before) throws IOException, InterruptedException {
        return says(before + "take_lock " + lock);
    }

    private boolean says(String condition) throws IOException, InterruptedException {
        var script = "set -eu; . " + START + "; if " + condition + "; then echo yes; else echo no; fi";
        var said = Release.run(Release.process(folder, List.of(), "sh", "-c", script), folder);
        assertThat(said.err()).isEmpty();
        assertThat(said.out()).isIn("yes\n", "no\n");
        return said.out().equals("yes\n");
    }
}
