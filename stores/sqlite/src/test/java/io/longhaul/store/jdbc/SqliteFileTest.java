// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import static io.longhaul.store.contract.TaskFixtures.ALICE;
import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Source;
import io.longhaul.engine.task.TaskSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sqlite.SQLiteOpenMode;

final class SqliteFileTest extends SqliteFolder {
    private static final List<String> LATER = List.of("V1__tasks.sql", "V2__of_a_test.sql");

    @Test
    void sqlite_is_loaded_without_a_file() throws Exception {
        var before = filesHere();
        DataFile.load();
        assertThat(filesHere()).isEqualTo(before);
    }

    @Test
    void a_file_that_another_process_has_is_refused_and_the_holder_named() throws Exception {
        try (var holder = new OtherJvm(HoldingMain.class, file.toString())) {
            assertThat(holder.line()).startsWith("open");
            assertThatThrownBy(() -> SqliteTaskStore.at(file))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContainingAll("in use by process " + holder.pid() + " on ", "running since 20");
        }
    }

    @Test
    void rows_of_a_space_are_read_beside_the_process_that_has_the_file() throws Exception {
        var row = new StoredRow("host", "a", Payload.of(new byte[] {1}), Instant.EPOCH.plusSeconds(9));
        try (var store = SqliteTaskStore.at(file)) {
            store.rows().put(row);
            store.rows().put(new StoredRow("session", "b", Payload.of(new byte[] {2}), null));
        }
        try (var holder = new OtherJvm(HoldingMain.class, file.toString())) {
            assertThat(holder.line()).startsWith("open");
            assertThat(SqliteTaskStore.rows(file, DataKeys.NONE, "host", 10, Instant.EPOCH))
                    .containsExactly(row);
            assertThat(SqliteTaskStore.rows(file, DataKeys.NONE, "host", 10, Instant.EPOCH.plusSeconds(9)))
                    .isEmpty();
        }
        assertThatThrownBy(() ->
                        SqliteTaskStore.rows(folder.resolve("other.db"), DataKeys.NONE, "host", 10, Instant.EPOCH))
                .hasMessageEndingWith("there is no such file");
        assertThat(folder.resolve("other.db")).doesNotExist();
    }

    @Test
    void a_file_whose_holder_was_killed_can_be_opened() throws Exception {
        try (var holder = new OtherJvm(HoldingMain.class, file.toString())) {
            assertThat(holder.line()).startsWith("open");
            holder.kill();
            SqliteTaskStore.at(file).close();
        }
    }

    @Test
    void a_file_is_opened_once_in_one_process_too_whatever_way_it_is_named() throws Exception {
        var link = Files.createSymbolicLink(folder.resolve("link"), folder);
        try (var store = SqliteTaskStore.at(file)) {
            for (var name : new Path[] {file, folder.resolve("./tasks.db"), link.resolve("tasks.db")}) {
                assertThatThrownBy(() -> SqliteTaskStore.at(name)).hasMessageContaining("(this process)");
            }
            store.commit(creation(task(1)));
        }
        try (var store = SqliteTaskStore.at(link.resolve("tasks.db"))) {
            assertThat(store.find(id(1))).isPresent();
        }
    }

    @Test
    void a_refused_second_opening_does_not_free_the_file_for_other_processes() throws Exception {
        try (var store = SqliteTaskStore.at(file)) {
            assertThatThrownBy(() -> SqliteTaskStore.at(file)).isInstanceOf(StoreException.class);
            try (var other = new OtherJvm(HoldingMain.class, file.toString())) {
                assertThat(other.line()).isNull();
            }
            store.commit(creation(task(1)));
        }
    }

    @Test
    void closing_twice_does_not_free_what_somebody_else_opened_meanwhile() {
        var first = SqliteTaskStore.at(file);
        first.close();
        try (var second = SqliteTaskStore.at(file)) {
            first.close();
            assertThatThrownBy(() -> SqliteTaskStore.at(file)).hasMessageContaining("in use");
            second.commit(creation(task(1)));
        }
    }

    @Test
    void the_driver_does_not_ask_for_the_key_of_a_row_after_each_insert() throws Exception {
        try (var connection = DataFile.connect(file, SQLiteOpenMode.READWRITE, SQLiteOpenMode.CREATE);
                var statement = connection.createStatement()) {
            statement.executeUpdate("CREATE TABLE number (n INTEGER PRIMARY KEY)");
            statement.executeUpdate("INSERT INTO number (n) VALUES (7)");
            try (var keys = statement.getGeneratedKeys()) {
                assertThat(keys.next()).isFalse();
            }
        }
    }

    @Test
    void a_missing_folder_is_named() {
        assertThatThrownBy(() -> SqliteTaskStore.at(folder.resolve("no/tasks.db")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(
                        "there is no folder " + folder.toAbsolutePath().resolve("no"));
    }

    @Test
    void a_folder_is_no_store() {
        assertThatThrownBy(() -> SqliteTaskStore.at(folder)).hasMessageContaining("it is a folder");
    }

    @Test
    void a_file_of_a_newer_schema_is_refused_and_left_as_it_is() throws Exception {
        SqliteTaskStore.at(file).close();
        try (var session = DataFile.openWriter(file)) {
            session.script("PRAGMA user_version = 2");
        }
        assertThatThrownBy(() -> SqliteTaskStore.at(file))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll("has schema 2", "written by a newer one");
        try (var session = DataFile.openWriter(file)) {
            assertThat(session.queryOne(row -> row.getInt(1), "PRAGMA user_version"))
                    .contains(2);
        }
    }

    @Test
    void a_file_of_an_older_schema_gets_the_newest_and_keeps_its_tasks() throws Exception {
        var route = new Route("session", "call");
        var source = new Source(Payload.EMPTY, route);
        var spec = new TaskSpec(ALICE, "w", Payload.EMPTY, source, null, NOW);
        try (var store = SqliteTaskStore.at(file)) {
            store.commit(creation(task(1, spec)));
        }
        try (var session = DataFile.openWriter(file)) {
            Schema.upgrade(session, file, LATER);
            assertThat(session.queryOne(row -> row.getInt(1), "PRAGMA user_version"))
                    .contains(2);
            assertThat(session.queryOne(row -> row.getString(1), "SELECT note FROM task"))
                    .contains("added");
            assertThat(session.queryOne(row -> row.getString(1), "SELECT route_member FROM task"))
                    .contains("call");
            session.script("PRAGMA user_version = 1");
        }
        try (var store = SqliteTaskStore.at(file)) {
            assertThat(store.routed(ALICE, route, null, 9))
                    .singleElement()
                    .satisfies(task -> assertThat(task.spec()).isEqualTo(spec));
        }
    }

    @Test
    void a_migration_that_fails_leaves_nothing_of_itself() throws Exception {
        SqliteTaskStore.at(file).close();
        try (var session = DataFile.openWriter(file)) {
            Schema.upgrade(session, file, LATER);
            session.script("DROP TABLE left_over; PRAGMA user_version = 1");
            assertThatThrownBy(() -> Schema.upgrade(session, file, LATER)).hasMessageContaining("duplicate column");
        }
        try (var session = DataFile.openWriter(file)) {
            assertThat(session.queryOne(row -> row.getInt(1), "PRAGMA user_version"))
                    .contains(1);
            assertThat(session.query(
                            row -> row.getString(1), "SELECT name FROM sqlite_schema WHERE name = 'left_over'"))
                    .isEmpty();
        }
    }

    @Test
    void tasks_of_a_kilobyte_and_more_share_their_pages() throws Exception {
        var spec = new TaskSpec(ALICE, "w", Payload.of(new byte[1_000]), Payload.of(new byte[200]), null, NOW);
        try (var store = SqliteTaskStore.at(file);
                var reader = DataFile.openReader(file)) {
            for (var i = 1; i <= 300; i++) {
                store.commit(creation(task(i, spec)));
            }
            assertThat(reader.queryOne(row -> row.getInt(1), "PRAGMA page_count")
                            .orElseThrow())
                    .isLessThan(300 / 2);
        }
    }

    @Test
    void a_claim_reads_the_oldest_tasks_from_an_index() throws Exception {
        SqliteTaskStore.at(file).close();
        try (var reader = DataFile.openReader(file)) {
            var plan = "EXPLAIN QUERY PLAN " + SqliteTaskWrites.TO_CLAIM;
            assertThat(reader.query(row -> row.getString("detail"), plan, 1, 10))
                    .containsExactly("SEARCH task USING INDEX task_unended (lease_epoch<?)");
        }
    }

    @Test
    void a_database_of_another_program_is_refused() throws Exception {
        try (var session = DataFile.openWriter(file)) {
            session.script("CREATE TABLE theirs (a); PRAGMA user_version = 1");
        }
        assertThatThrownBy(() -> SqliteTaskStore.at(file)).hasMessageContaining("of another program");
    }

    @Test
    void a_file_that_is_no_database_is_refused_and_left_as_it_is() throws Exception {
        Files.writeString(file, "name,size\n".repeat(1_000));
        assertThatThrownBy(() -> SqliteTaskStore.at(file)).hasMessageContaining("no SQLite database, or damaged");
        assertThat(file).content().startsWith("name,size");
    }

    @Test
    void a_damaged_file_is_told_as_damaged() throws Exception {
        try (var store = SqliteTaskStore.at(file)) {
            for (var i = 0; i < 200; i++) {
                store.commit(creation(task(i)));
            }
        }
        var bytes = Files.readAllBytes(file);
        Arrays.fill(bytes, 4_096, bytes.length, (byte) 0x55);
        Files.write(file, bytes);
        assertThatThrownBy(() -> {
                    try (var store = SqliteTaskStore.at(file)) {
                        store.find(id(7));
                    }
                })
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("damaged");
    }

    private static List<Path> filesHere() throws IOException {
        try (var files = Files.list(Path.of(""))) {
            return files.sorted().toList();
        }
    }
}
