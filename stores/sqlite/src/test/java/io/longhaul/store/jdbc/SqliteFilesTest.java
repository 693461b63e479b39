// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SqliteFilesTest extends SqliteFolder {

    private final DataKeys keys = DataKeys.parse(DataKeys.generate("k", new SecureRandom()));
    private Path copy;

    @BeforeEach
    void nameCopy() {
        copy = folder.resolve("copy.db");
    }

    private SqliteTaskStore open(Path at) {
        return SqliteTaskStore.at(at, keys);
    }

    /** An open store, of which there is a copy with all that it holds. */
    private SqliteTaskStore copied() {
        var store = open(file);
        store.commit(creation(task(1)));
        SqliteFiles.backUp(file, copy);
        return store;
    }

    @Test
    void a_store_is_copied_while_it_is_open_and_the_copy_is_a_store_with_all_of_that_moment() throws IOException {
        try (var store = copied()) {
            store.commit(creation(task(2)));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
                    .isEqualTo("rw-------");
        }
        try (var store = open(copy)) {
            assertThat(store.find(id(1))).contains(task(1));
            assertThat(store.find(id(2))).isEmpty();
            store.commit(creation(task(3)));
        }
    }

    @Test
    void a_file_whose_log_is_lost_is_told_in_words() throws IOException {
        Files.createFile(copy);
        assertThat(SqliteFiles.problems(copy, keys))
                .singleElement()
                .asString()
                .contains("copy.db-wal, which is damaged or missing", "restore");
    }

    @Test
    void a_file_that_is_there_is_not_written_over() throws IOException {
        open(file).close();
        Files.writeString(copy, "mine");
        assertThatThrownBy(() -> SqliteFiles.backUp(file, copy))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is there already");
        assertThat(copy).hasContent("mine");
    }

    @Test
    void a_copy_that_cannot_be_written_leaves_nothing() {
        open(file).close();
        var nowhere = folder.resolve("no/copy.db");
        assertThatThrownBy(() -> SqliteFiles.backUp(file, nowhere))
                .isInstanceOf(StoreException.class)
                .hasMessageEndingWith("cannot be written: its folder is not there");
        assertThat(nowhere.getParent()).doesNotExist();
    }

    @Test
    void a_folder_without_a_store_is_told() {
        assertThatThrownBy(() -> SqliteFiles.backUp(file, copy)).hasMessageContaining("there is no such file");
        assertThatThrownBy(() -> SqliteFiles.problems(file, keys)).hasMessageContaining("there is no such file");
        assertThat(file).doesNotExist();
    }

    @Test
    void what_is_there_and_cannot_be_read_is_not_said_to_be_missing() {
        assertThatThrownBy(() -> SqliteFiles.backUp(folder, copy))
                .hasMessageContaining("it is no file that this user can read");
    }

    @Test
    void a_good_store_has_no_problems_open_or_not() {
        try (var store = open(file)) {
            for (int number = 1; number < 1_500; number++) {
                store.commit(creation(task(number)));
            }
            assertThat(SqliteFiles.problems(file, keys)).isEmpty();
        }
        assertThat(SqliteFiles.problems(file, keys)).isEmpty();
    }

    @Test
    void a_store_whose_key_is_not_given_is_not_looked_through() {
        try (var store = open(file)) {
            store.commit(creation(task(1)));
        }
        assertThatThrownBy(() -> SqliteFiles.problems(file, DataKeys.NONE)).hasMessageContaining("the data key k");
    }

    @Test
    void damaged_pages_are_found() throws IOException {
        try (var store = open(file)) {
            for (int number = 1; number < 500; number++) {
                store.commit(creation(task(number)));
            }
        }
        var bytes = Files.readAllBytes(file);
        Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 8_192, (byte) 7);
        Files.write(file, bytes);
        assertThat(SqliteFiles.problems(file, keys)).isNotEmpty();
    }

    @Test
    void a_task_that_cannot_be_opened_is_named() throws SQLException {
        try (var store = open(file)) {
            store.commit(creation(task(1)));
            store.commit(creation(task(2)));
        }
        try (var session = DataFile.openWriter(file)) {
            session.update("UPDATE task SET spec = substr(spec, 1, length(spec) - 1) WHERE id = ?", id(2).value());
        }
        assertThat(SqliteFiles.problems(file, keys)).singleElement().asString().startsWith("task " + id(2) + ": ");
    }

    @Test
    void commits_that_are_missing_are_told() throws IOException {
        try (var store = copied()) {
            store.commit(creation(task(2)));
        }
        Files.move(copy, file, StandardCopyOption.REPLACE_EXISTING);
        assertThat(SqliteFiles.problems(file, keys))
                .containsExactly("commits that were acknowledged are missing: the last 1");
    }
}
