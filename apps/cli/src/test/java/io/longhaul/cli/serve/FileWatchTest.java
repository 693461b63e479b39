// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a change of a file is told. */
class FileWatchTest {
    @TempDir
    private Path folder;

    private Path file;
    private FileWatch watch;
    private final AtomicInteger told = new AtomicInteger();

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("tools.yaml"), "one");
        watch = new FileWatch(file);
    }

    private int look() {
        watch.look(told::incrementAndGet);
        return told.get();
    }

    @Test
    void a_file_that_stays_as_it_is_is_never_told() {
        assertThat(look()).isZero();
        assertThat(look()).isZero();
    }

    @Test
    void a_change_is_told_once_when_the_file_has_rested_for_a_look() throws IOException {
        Files.writeString(file, "more");
        assertThat(look()).isZero();
        Files.writeString(file, "more and more");
        assertThat(look()).isZero();
        assertThat(look()).isEqualTo(1);
        assertThat(look()).isEqualTo(1);
    }

    @Test
    void a_file_that_is_renamed_to_its_name_is_another_one() throws IOException {
        var time = Files.getLastModifiedTime(file);
        var other = Files.writeString(folder.resolve("tools.yaml.new"), "two");
        Files.setLastModifiedTime(other, time);
        Files.move(other, file, ATOMIC_MOVE);
        look();
        assertThat(look()).isEqualTo(1);
    }

    @Test
    void a_file_that_is_away_for_a_while_is_told_when_it_is_back() throws IOException {
        Files.delete(file);
        look();
        assertThat(look()).isZero();
        Files.writeString(file, "back again");
        look();
        assertThat(look()).isEqualTo(1);
    }
}
