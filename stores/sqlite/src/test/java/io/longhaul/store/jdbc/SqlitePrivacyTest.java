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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisabledOnOs(OS.WINDOWS)
final class SqlitePrivacyTest extends SqliteFolder {
    @Test
    void every_file_of_a_store_is_this_users_alone() throws Exception {
        try (var store = SqliteTaskStore.at(file)) {
            store.commit(creation(task(1)));
            assertThat(permissions())
                    .containsExactly(
                            "tasks.db rw-------",
                            "tasks.db-shm rw-------",
                            "tasks.db-wal rw-------",
                            "tasks.db.lock rw-------",
                            "tasks.db.mark rw-------",
                            "tasks.db.reserve rw-------");
        }
    }

    @Test
    void files_that_other_users_could_read_are_closed_to_them_and_keep_their_tasks() throws Exception {
        try (var store = SqliteTaskStore.at(file)) {
            store.commit(creation(task(1)));
        }
        for (var name : List.of("tasks.db", "tasks.db.lock", "tasks.db.mark")) {
            allow(folder.resolve(name), "rw-rw-r--");
        }
        try (var store = SqliteTaskStore.at(file)) {
            assertThat(store.find(id(1))).isPresent();
            assertThat(permissions()).allMatch(line -> line.endsWith(" rw-------"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwx---", "rwxr-xrwx", "rwxrwxrwx"})
    void a_folder_that_other_users_can_write_is_refused_and_left_empty(String loose) throws Exception {
        allow(folder, loose);
        assertThatThrownBy(() -> SqliteTaskStore.at(file))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll("other users can write the folder", "chmod go-w");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void a_folder_that_other_users_can_only_read_is_taken() throws Exception {
        allow(folder, "rwxr-xr-x");
        SqliteTaskStore.at(file).close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-wal", "-shm", "-journal", ".lock", ".mark"})
    void a_symbolic_link_in_the_place_of_a_file_is_refused_and_not_followed(String suffix) throws Exception {
        var theirs = Files.writeString(folder.resolve("theirs"), "precious");
        var missing = folder.resolve("missing");
        for (var target : List.of(theirs, missing)) {
            var link = Files.createSymbolicLink(folder.resolve("tasks.db" + suffix), target);
            assertThatThrownBy(() -> SqliteTaskStore.at(file))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContainingAll("tasks.db" + suffix, "is a symbolic link");
            Files.delete(link);
        }
        assertThat(theirs).hasContent("precious");
        assertThat(missing).doesNotExist();
    }

    @Test
    void a_symbolic_link_in_the_place_of_the_reserve_is_not_followed() throws Exception {
        var theirs = Files.writeString(folder.resolve("theirs"), "precious");
        Files.createSymbolicLink(folder.resolve("tasks.db.reserve"), theirs);
        SqliteTaskStore.at(file).close();
        assertThat(theirs).hasContent("precious");
    }

    private static void allow(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    private TreeSet<String> permissions() throws IOException {
        var lines = new TreeSet<String>();
        try (var files = Files.list(folder)) {
            for (var path : files.toList()) {
                lines.add(
                        path.getFileName() + " " + PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
            }
        }
        return lines;
    }
}
