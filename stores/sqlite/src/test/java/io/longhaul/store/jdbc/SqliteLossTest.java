// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.store.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was acknowledged and is not there any more is told, at the next start or at the next commit. */
final class SqliteLossTest {
    private static final int PAGE = 4_096;

    @TempDir
    Path folder;

    private Path file;
    private Path log;
    private Path mark;

    @BeforeEach
    void nameFiles() {
        file = folder.resolve("tasks.db");
        log = folder.resolve("tasks.db-wal");
        mark = folder.resolve("tasks.db.mark");
    }

    @Test
    void what_a_killed_process_had_acknowledged_is_there_at_the_next_start() throws Exception {
        killAfter(5);
        try (var store = SqliteTaskStore.at(file)) {
            assertThat(store.find(id(4))).isPresent();
        }
    }

    @Test
    void a_write_ahead_log_that_was_cut_short_is_refused_and_says_how_many_commits_are_missing() throws Exception {
        killAfter(5);
        cut(log, Files.size(log) - 1);
        assertThatThrownBy(() -> SqliteTaskStore.at(file))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll("the last 1 commits that were acknowledged are missing", mark.toString());
        assertThatThrownBy(() -> SqliteTaskStore.at(file)).hasMessageContaining("are missing");
    }

    @Test
    void a_write_ahead_log_that_is_gone_is_refused_until_the_operator_takes_the_mark_away() throws Exception {
        stopAfter(1);
        killAfter(5);
        Files.delete(log);
        assertThatThrownBy(() -> SqliteTaskStore.at(file)).hasMessageContaining("are missing");
        Files.delete(mark);
        try (var store = SqliteTaskStore.at(file)) {
            assertThat(store.find(id(0))).isPresent();
            assertThat(store.find(id(4))).isEmpty();
        }
    }

    @Test
    void an_older_copy_in_the_place_of_the_file_is_refused() throws Exception {
        stopAfter(1);
        var older = Files.copy(file, folder.resolve("older"));
        stopAfter(1, 3);
        Files.move(older, file, StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> SqliteTaskStore.at(file)).hasMessageContaining("the last 2 commits");
    }

    @Test
    void an_empty_file_where_tasks_were_is_refused_and_left_as_it_is() throws Exception {
        stopAfter(3);
        Files.write(file, new byte[0]);
        assertThatThrownBy(() -> SqliteTaskStore.at(file))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("it is empty or gone, and held tasks before");
        assertThat(file).isEmptyFile();
    }

    @Test
    void a_missing_file_where_tasks_were_is_refused_and_not_made() throws Exception {
        stopAfter(3);
        Files.delete(file);
        assertThatThrownBy(() -> SqliteTaskStore.at(file)).hasMessageContaining("it is empty or gone");
        assertThat(file).doesNotExist();
    }

    @Test
    void an_empty_file_beside_a_write_ahead_log_is_refused_and_the_log_kept() throws Exception {
        killAfter(3);
        Files.delete(mark);
        Files.write(file, new byte[0]);
        assertThatThrownBy(() -> SqliteTaskStore.at(file)).hasMessageContaining("it is empty or gone");
        assertThat(log).isNotEmptyFile();
    }

    @Test
    void an_empty_file_where_nothing_was_is_a_new_store() throws Exception {
        Files.createFile(file);
        SqliteTaskStore.at(file).close();
    }

    @Test
    void a_mark_that_cannot_be_read_keeps_nobody_from_a_file_that_is_whole() throws Exception {
        stopAfter(3);
        Files.writeString(mark, "12 1");
        SqliteTaskStore.at(file).close();
        assertThat(mark).content().isEqualTo("12 1");
        stopAfter(3, 5);
        assertThat(mark).content().isEqualTo("5 5\n");
    }

    @Test
    void a_folder_that_is_deleted_under_the_store_is_told_at_the_next_commit() throws Exception {
        try (var store = SqliteTaskStore.at(file)) {
            store.commit(creation(task(1)));
            deleteAll();
            assertThatThrownBy(() -> store.commit(creation(task(2))))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("was removed or replaced while the store was open");
            assertThatThrownBy(() -> store.rows().remove("a", "b")).hasMessageContaining("was removed");
        }
    }

    @Test
    void a_file_that_is_replaced_under_the_store_is_told_at_the_next_commit() throws Exception {
        for (var name : new Path[] {file, log}) {
            try (var store = SqliteTaskStore.at(file)) {
                Files.move(name, folder.resolve("away"), StandardCopyOption.REPLACE_EXISTING);
                Files.copy(folder.resolve("away"), name);
                assertThatThrownBy(() -> store.find(id(1))).hasMessageContaining("was removed or replaced");
                assertThatThrownBy(() -> store.commit(creation(task(2))))
                        .hasMessageContainingAll(name.toString(), "was removed or replaced");
            }
            deleteAll();
        }
    }

    @Test
    void a_write_ahead_log_that_is_removed_or_replaced_in_a_folder_that_was_quiet_is_told_at_the_next_commit()
            throws Exception {
        for (var isReplaced : new boolean[] {false, true}) {
            try (var store = SqliteTaskStore.at(file)) {
                Files.setLastModifiedTime(folder, FileTime.from(Instant.EPOCH));
                store.commit(creation(task(1)));
                store.commit(creation(task(2)));
                Files.move(log, folder.resolve("away"), StandardCopyOption.REPLACE_EXISTING);
                if (isReplaced) {
                    Files.copy(folder.resolve("away"), log);
                }
                assertThatThrownBy(() -> store.commit(creation(task(3))))
                        .hasMessageContainingAll(log.toString(), "was removed or replaced");
            }
            deleteAll();
        }
    }

    @Test
    void a_write_ahead_log_that_is_cut_short_after_it_has_grown_is_told_at_the_next_commit() throws Exception {
        try (var store = SqliteTaskStore.at(file)) {
            for (var i = 0; i < 50; i++) {
                store.commit(creation(task(i)));
            }
            cut(log, Files.size(log) - 1);
            assertThatThrownBy(() -> store.commit(creation(task(100))))
                    .hasMessageContainingAll(log.toString(), "was cut short");
        }
    }

    @Test
    void a_file_that_is_cut_short_under_the_store_is_told_to_readers_and_at_the_next_commit_and_ends_no_process()
            throws Exception {
        try (var server = new OtherJvm(CutMain.class, file.toString())) {
            assertThat(server.line()).isEqualTo("open");
            // Behind a whole page: of one that is cut itself, SQLite takes the rest for empty rows.
            cut(file, Files.size(file) / 2 / PAGE * PAGE);
            server.tell("read");
            assertThat(server.line()).contains("task store " + file + ": it is damaged");
            server.tell("write");
            assertThat(server.line()).contains(file + " was cut short while the store was open");
            server.tell("read");
            assertThat(server.line()).as("the process goes on").contains("it is damaged");
        }
    }

    @Test
    void a_write_ahead_log_that_is_cut_short_under_the_store_is_told_at_the_next_commit() throws Exception {
        try (var server = new OtherJvm(CutMain.class, file.toString())) {
            assertThat(server.line()).isEqualTo("open");
            server.tell("write");
            assertThat(server.line()).isEqualTo("done");
            cut(log, 0);
            server.tell("write");
            assertThat(server.line()).contains(log + " was cut short while the store was open");
        }
    }

    @Test
    void a_file_that_another_program_makes_shorter_and_leaves_whole_is_written_on() throws Exception {
        try (var store = SqliteTaskStore.at(file)) {
            for (var i = 0; i < 200; i++) {
                store.commit(creation(task(i)));
            }
            long size;
            try (var other = DataFile.openWriter(file)) {
                other.query(row -> row.getInt(1), "PRAGMA wal_checkpoint(TRUNCATE)");
                size = Files.size(file);
                other.script("DELETE FROM task; VACUUM");
                other.query(row -> row.getInt(1), "PRAGMA wal_checkpoint(TRUNCATE)");
            }
            assertThat(Files.size(file)).isLessThan(size);
            assertThat(log).isEmptyFile();
            store.commit(creation(task(1_000)));
            assertThat(store.find(id(1_000))).isPresent();
        }
    }

    @Test
    void damaged_pages_that_nobody_reads_are_found_in_the_background_and_nothing_more_is_written() throws Exception {
        stopAfter(200);
        try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            var damage = new byte[PAGE];
            Arrays.fill(damage, (byte) 0x55);
            channel.write(java.nio.ByteBuffer.wrap(damage), channel.size() - PAGE);
        }
        try (var store = SqliteTaskStore.at(file)) {
            store.awaitCheck();
            assertThatThrownBy(() -> store.commit(creation(task(1_000))))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("damaged");
        }
    }

    @Test
    void a_file_that_is_whole_is_written_after_its_check() throws Exception {
        stopAfter(200);
        try (var store = SqliteTaskStore.at(file)) {
            store.awaitCheck();
            store.commit(creation(task(1_000)));
        }
    }

    @Test
    void after_a_clean_stop_the_file_alone_holds_everything_though_another_program_reads_it() throws Exception {
        var store = SqliteTaskStore.at(file);
        try (var other = DataFile.openReader(file)) {
            for (var i = 0; i < 20; i++) {
                store.commit(creation(task(i)));
            }
            assertThat(other.queryOne(row -> row.getInt(1), "SELECT count(*) FROM task"))
                    .contains(20);
            store.close();
            var copy = Files.copy(file, folder.resolve("copy.db"));
            try (var alone = SqliteTaskStore.at(copy)) {
                assertThat(alone.find(id(19))).isPresent();
            }
        }
    }

    /** Commits tasks, and stops cleanly. */
    private void stopAfter(int tasks) {
        stopAfter(0, tasks);
    }

    private void stopAfter(int from, int to) {
        try (var store = SqliteTaskStore.at(file)) {
            for (var i = from; i < to; i++) {
                store.commit(creation(task(i)));
            }
        }
    }

    /** Leaves the files as a process does that is killed after its last commit. */
    private void killAfter(int tasks) throws IOException {
        var image = Files.createDirectory(folder.resolve("image"));
        try (var store = SqliteTaskStore.at(file)) {
            for (var i = 0; i < tasks; i++) {
                store.commit(creation(task(i)));
            }
            for (var path : new Path[] {file, log, mark}) {
                Files.copy(path, image.resolve(path.getFileName()));
            }
        }
        for (var path : new Path[] {file, log, mark}) {
            Files.move(image.resolve(path.getFileName()), path, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.delete(image);
    }

    private static void cut(Path file, long size) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(size);
        }
    }

    private void deleteAll() throws IOException {
        try (var files = Files.list(folder)) {
            for (var path : files.toList()) {
                Files.delete(path);
            }
        }
    }
}
