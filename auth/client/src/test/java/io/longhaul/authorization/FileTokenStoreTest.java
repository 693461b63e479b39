// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens are kept for their user alone. */
class FileTokenStoreTest {

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("deep").resolve("tokens.json");
    }

    @Test
    void what_is_kept_is_there_for_the_next_process_until_it_is_removed() {
        TokenStore.file(file()).save("a", "1");
        TokenStore.file(file()).save("b", "2 \"quoted\"");
        TokenStore.file(file()).save("a", "3");
        assertThat(TokenStore.file(file()).load("a")).contains("3");
        assertThat(TokenStore.file(file()).load("b")).contains("2 \"quoted\"");
        TokenStore.file(file()).remove("a");
        assertThat(TokenStore.file(file()).load("a")).isEmpty();
        assertThat(TokenStore.file(file()).load("b")).isPresent();
    }

    @Test
    void nothing_is_there_before_anything_is_kept() {
        assertThat(TokenStore.file(file()).load("a")).isEmpty();
        assertThat(file()).doesNotExist();
    }

    @Test
    void others_can_read_neither_the_file_nor_its_folder() throws Exception {
        TokenStore.file(file()).save("a", "1");
        try (var all = Files.list(file().getParent())) {
            assertThat(all)
                    .isNotEmpty()
                    .allSatisfy(one -> assertThat(permissions(one)).isEqualTo("rw-------"));
        }
        assertThat(permissions(file().getParent())).isEqualTo("rwx------");
    }

    private static String permissions(Path path) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void a_file_that_others_can_read_is_not_used() throws Exception {
        var store = TokenStore.file(file());
        store.save("a", "1");
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> store.load("a"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("chmod 600");
        assertThatThrownBy(() -> store.save("a", "2")).hasMessageContaining("chmod 600");
    }

    @Test
    void a_file_that_is_no_json_is_named() throws Exception {
        var store = TokenStore.file(file());
        store.save("a", "1");
        Files.writeString(file(), "{");
        assertThatThrownBy(() -> store.load("a")).hasMessageContaining(file().toString());
    }

    @Test
    void many_may_write_at_once_and_nothing_is_lost() throws Exception {
        var writers = new ArrayList<Thread>();
        for (int i = 0; i < 8; i++) {
            var name = "n" + i;
            writers.add(Thread.ofVirtual().start(() -> TokenStore.file(file()).save(name, name)));
        }
        for (var writer : writers) {
            writer.join();
        }
        assertThat(List.of(0, 1, 2, 3, 4, 5, 6, 7))
                .allSatisfy(
                        i -> assertThat(TokenStore.file(file()).load("n" + i)).contains("n" + i));
    }

    @Test
    void a_name_is_held_against_every_holder_of_the_file_and_other_names_are_free() throws Exception {
        var other = new Thread(() -> TokenStore.file(file()).hold("a").close());
        try (var held = TokenStore.file(file()).hold("a")) {
            other.start();
            while (other.isAlive() && other.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            assertThat(other.isAlive()).isTrue();
            TokenStore.file(file()).hold("b").close();
            TokenStore.file(file()).save("a", "1");
        }
        other.join();
        assertThat(TokenStore.file(file()).load("a")).contains("1");
    }

    @Test
    void a_held_name_is_a_locked_file_for_other_processes() throws Exception {
        try (var held = TokenStore.file(file()).hold("a");
                var lock = FileChannel.open(onlyFile(), StandardOpenOption.WRITE)) {
            assertThatThrownBy(lock::tryLock).isInstanceOf(OverlappingFileLockException.class);
        }
        try (var lock = FileChannel.open(onlyFile(), StandardOpenOption.WRITE)) {
            assertThat(lock.tryLock()).isNotNull();
        }
    }

    @Test
    void a_holder_that_never_ends_is_waited_for_for_a_while_and_then_no_longer() throws Exception {
        TokenStore.file(file()).hold("a").close();
        try (var stopped = FileChannel.open(onlyFile(), StandardOpenOption.WRITE);
                var lock = stopped.lock()) {
            var store = new FileTokenStore(file(), Duration.ofMillis(100));
            assertThatCode(() -> store.hold("a").close()).doesNotThrowAnyException();
        }
    }

    @Test
    void a_file_is_one_and_the_same_by_each_of_its_paths() throws Exception {
        var link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("deep"));
        var paths = List.of(link.resolve("tokens.json"), folder.resolve("deep/../deep/./tokens.json"));
        var others = new ArrayList<Thread>();
        try (var held = TokenStore.file(file()).hold("a")) {
            for (var path : paths) {
                var other = new Thread(() -> TokenStore.file(path).hold("a").close());
                others.add(other);
                other.start();
                while (other.isAlive() && other.getState() != Thread.State.WAITING) {
                    Thread.onSpinWait();
                }
                assertThat(other.isAlive()).isTrue();
            }
        }
        for (var other : others) {
            other.join();
        }
    }

    private Path onlyFile() throws Exception {
        try (var all = Files.list(file().getParent())) {
            var files = all.toList();
            assertThat(files).hasSize(1);
            return files.getFirst();
        }
    }
}
