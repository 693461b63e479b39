// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadedTest {

    @TempDir
    Path folder;

    private final AtomicInteger reads = new AtomicInteger();
    private Instant now = Instant.parse("2026-11-23T10:00:00Z");
    private int writes;
    private Path file;
    private Reloaded<String> value;

    @BeforeEach
    void begin() throws IOException {
        file = folder.resolve("value");
        write("first");
        value = new Reloaded<>("The value", List.of(file), this::read, () -> now);
    }

    private void write(String text) throws IOException {
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, FileTime.from(now.plusMillis(++writes)));
    }

    private String read() {
        reads.incrementAndGet();
        try {
            var text = Files.readString(file);
            if (text.contains("broken")) {
                throw new IllegalArgumentException("it is broken");
            }
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException("it is not there", e);
        }
    }

    private void later(Duration time) {
        now = now.plus(time);
    }

    @Test
    void a_file_that_has_changed_is_read_again_after_five_seconds_and_not_before() throws IOException {
        write("second");
        later(Reloaded.APART.minusMillis(1));
        assertThat(value.get()).isEqualTo("first");
        later(Duration.ofMillis(1));
        assertThat(value.get()).isEqualTo("second");
    }

    @Test
    void a_file_that_has_not_changed_is_not_read_again() {
        for (int i = 0; i < 3; i++) {
            later(Reloaded.APART);
            assertThat(value.get()).isEqualTo("first");
        }
        assertThat(reads).hasValue(1);
    }

    @Test
    void a_file_that_is_moved_into_the_place_of_another_is_read_though_its_time_is_the_same() throws IOException {
        var time = Files.getLastModifiedTime(file);
        var other = Files.writeString(folder.resolve("other"), "other");
        Files.setLastModifiedTime(other, time);
        Files.move(other, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        later(Reloaded.APART);
        assertThat(value.get()).isEqualTo("other");
    }

    @Test
    void a_broken_file_leaves_the_value_before_and_is_read_once() throws IOException {
        write("broken");
        for (int i = 0; i < 3; i++) {
            later(Reloaded.APART);
            assertThat(value.get()).isEqualTo("first");
        }
        assertThat(reads).hasValue(2);
        write("whole");
        later(Reloaded.APART);
        assertThat(value.get()).isEqualTo("whole");
    }

    @Test
    void a_file_that_is_gone_leaves_the_value_before() throws IOException {
        Files.delete(file);
        later(Reloaded.APART);
        assertThat(value.get()).isEqualTo("first");
    }

    @Test
    void a_clock_that_is_set_back_does_not_put_off_the_next_look() throws IOException {
        write("second");
        later(Duration.ofHours(-1));
        assertThat(value.get()).isEqualTo("second");
    }

    @Test
    void a_file_that_is_broken_from_the_start_is_told_to_whoever_reads_it() throws IOException {
        write("broken");
        assertThatThrownBy(() -> new Reloaded<>("The value", List.of(file), this::read, () -> now))
                .hasMessage("it is broken");
    }
}
