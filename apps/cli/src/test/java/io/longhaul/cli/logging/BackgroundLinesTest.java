// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.logging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class BackgroundLinesTest {

    @TempDir
    Path folder;

    private final List<String> written = new CopyOnWriteArrayList<>();

    private static BackgroundLines writer(BackgroundLines.Target target) {
        return new BackgroundLines("test", target, count -> count + " lost");
    }

    @Test
    void lines_are_written_in_their_order_and_all_when_it_is_closed() {
        try (var lines = writer(bytes -> written.add(new String(bytes, UTF_8)))) {
            for (int i = 0; i < 1_000; i++) {
                var line = "line " + i;
                lines.add(() -> line);
            }
        }
        assertThat(String.join("", written).lines())
                .hasSize(1_000)
                .startsWith("line 0", "line 1")
                .endsWith("line 999");
    }

    @Test
    void lines_that_find_the_queue_full_are_counted_in_the_next_line_and_nobody_waits() throws Exception {
        var hanging = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        var lines = writer(bytes -> {
            begun.countDown();
            written.add(new String(bytes, UTF_8));
            try {
                hanging.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        });
        lines.add(() -> "first");
        begun.await();
        for (int i = 0; i < BackgroundLines.WAITING + 7; i++) {
            lines.add(() -> "more");
        }
        hanging.countDown();
        lines.close();
        assertThat(String.join("", written).lines())
                .hasSize(BackgroundLines.WAITING + 2)
                .startsWith("first", "7 lost", "more");
    }

    @Test
    void lines_that_a_full_disk_refuses_are_counted_in_the_next_line_that_is_written() throws Exception {
        var tried = new CountDownLatch(1);
        var room = new CountDownLatch(1);
        try (var lines = writer(bytes -> {
            if (tried.getCount() > 0) {
                tried.countDown();
                throw new IOException("No space left on device");
            }
            written.add(new String(bytes, UTF_8));
            room.countDown();
        })) {
            lines.add(() -> "no room");
            tried.await();
            lines.add(() -> "room again");
            room.await();
        }
        assertThat(String.join("", written)).isEqualTo("1 lost\nroom again\n");
    }

    @Test
    void an_error_in_one_line_loses_that_line_alone() throws Exception {
        var tried = new CountDownLatch(1);
        try (var lines = writer(bytes -> written.add(new String(bytes, UTF_8)))) {
            lines.add(() -> {
                tried.countDown();
                throw new NoClassDefFoundError("no such class");
            });
            tried.await();
            // The first line was in a batch before this one, or in the same.
            lines.add(() -> "second");
        }
        assertThat(String.join("", written)).contains("second\n");
    }

    @Test
    void an_error_of_the_destination_loses_its_batch_and_no_later_line() throws Exception {
        var tried = new CountDownLatch(1);
        try (var lines = writer(bytes -> {
            if (tried.getCount() > 0) {
                tried.countDown();
                throw new OutOfMemoryError("Java heap space");
            }
            written.add(new String(bytes, UTF_8));
        })) {
            lines.add(() -> "first");
            tried.await();
            lines.add(() -> "second");
        }
        assertThat(String.join("", written)).isEqualTo("1 lost\nsecond\n");
    }

    @Test
    void a_full_disk_leaves_no_part_of_a_line() throws IOException {
        var file = folder.resolve("a.log");
        var disk = new SmallDisk(12);
        try (var rotated = new RotatedFile(file, 100, 2, disk::open)) {
            rotated.write("1111111\n".getBytes(UTF_8));
            assertThatThrownBy(() -> rotated.write("2222222\n".getBytes(UTF_8))).hasMessage("No space left on device");
            assertThat(file).hasContent("1111111");
            disk.grow(100);
            rotated.write("1 lost\n3333333\n".getBytes(UTF_8));
        }
        assertThat(file).hasContent("1111111\n1 lost\n3333333");
    }

    @Test
    void a_file_that_has_grown_is_renamed_and_so_many_are_kept() throws IOException {
        var file = folder.resolve("a.log");
        try (var rotated = new RotatedFile(file, 10, 2)) {
            for (var line : List.of("1111111\n", "2222222\n", "3333333\n", "4444444\n")) {
                rotated.write(line.getBytes(UTF_8));
            }
        }
        assertThat(file).hasContent("4444444");
        assertThat(folder.resolve("a.log.1")).hasContent("3333333");
        assertThat(folder.resolve("a.log.2")).hasContent("2222222");
        assertThat(folder.resolve("a.log.3")).doesNotExist();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void lines_go_into_the_file_with_the_name_also_after_another_process_has_renamed_or_removed_it()
            throws IOException {
        var file = folder.resolve("a.log");
        try (var one = new RotatedFile(file, 10, 1);
                var other = new RotatedFile(file, 10, 1)) {
            other.write("0\n".getBytes(UTF_8));
            for (var line : List.of("1111111\n", "2222222\n", "3333333\n")) {
                one.write(line.getBytes(UTF_8));
            }
            other.write("4\n".getBytes(UTF_8));
            assertThat(file).hasContent("3333333\n4");
            Files.delete(file);
            one.write("5\n".getBytes(UTF_8));
            other.write("6\n".getBytes(UTF_8));
        }
        assertThat(file).hasContent("5\n6");
    }

    @Test
    void a_file_goes_on_where_the_process_before_left_it() throws IOException {
        var file = folder.resolve("a.log");
        for (var line : List.of("1\n", "2\n")) {
            try (var rotated = new RotatedFile(file, 100, 2)) {
                rotated.write(line.getBytes(UTF_8));
            }
        }
        assertThat(file).hasContent("1\n2");
    }
}
