// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.end;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreFullException;
import io.longhaul.engine.store.StoreUnreachableException;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.store.jdbc.sql.Operator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

final class SqliteFullDiskTest {
    @TempDir
    Path folder;

    private final FullDisk disk = new FullDisk();
    private Path file;

    @BeforeEach
    void nameFile() {
        file = folder.resolve("tasks.db");
    }

    @Test
    void a_full_disk_has_an_exception_of_its_own_and_reads_go_on() {
        try (var store = SqliteTaskStore.at(file, disk::open)) {
            store.commit(creation(task(1)));
            disk.fill();
            assertThatThrownBy(() -> store.commit(creation(task(2))))
                    .isInstanceOf(StoreFullException.class)
                    .hasMessageContaining("the disk is full");
            assertThatThrownBy(() -> store.rows().put(new StoredRow("a", "b", Payload.EMPTY, null)))
                    .isInstanceOf(StoreFullException.class);
            assertThat(store.find(id(1))).isPresent();
            assertThat(store.find(id(2))).isEmpty();
            disk.free();
            store.commit(creation(task(2)));
        }
    }

    @Test
    void a_disk_that_others_have_filled_takes_nothing_new_though_a_write_would_find_room() {
        var hasRoom = new AtomicBoolean(true);
        try (var store = SqliteTaskStore.at(file, DataKeys.NONE, disk::open, new Room(hasRoom::get))) {
            store.commit(creation(task(1)));
            hasRoom.set(false);
            assertThatThrownBy(() -> store.commit(made(2)))
                    .isInstanceOf(StoreFullException.class)
                    .hasMessageContaining("tasks.db: the disk is full");
            assertThatThrownBy(() -> store.rows().put(new StoredRow("a", "b", Payload.EMPTY, null)))
                    .isInstanceOf(StoreFullException.class);
            assertThat(store.commit(end(task(1), new Outcome.Cancelled(null), NOW, true)))
                    .isInstanceOf(CommitResult.Committed.class);
            hasRoom.set(true);
            store.commit(made(3));
        }
    }

    /** Creates a task so many seconds after the first one. */
    private static Change made(int number) {
        var spec = task(number).spec();
        return creation(task(
                number,
                new TaskSpec(spec.owner(), "work", Payload.EMPTY, Payload.EMPTY, null, NOW.plusSeconds(number))));
    }

    @Test
    void room_is_looked_for_ten_times_a_second() {
        var looks = new AtomicInteger();
        var room = new Room(() -> looks.incrementAndGet() < 2);
        assertThat(room.isThere(NOW)).isTrue();
        assertThat(room.isThere(NOW.plusMillis(99))).isTrue();
        assertThat(room.isThere(NOW.plusMillis(100))).isFalse();
        assertThat(room.isThere(NOW.plusMillis(101))).isFalse();
        assertThat(looks).hasValue(2);
    }

    @Test
    void after_a_sync_that_has_failed_once_nothing_is_written_any_more_and_reads_go_on() {
        try (var store = SqliteTaskStore.at(file, disk::open)) {
            store.commit(creation(task(1)));
            disk.failNextSync();
            for (var number = 2; number < 5; number++) {
                var next = creation(task(number));
                assertThatThrownBy(() -> store.commit(next))
                        .isInstanceOf(StoreException.class)
                        .isNotInstanceOf(StoreFullException.class)
                        .hasMessageContaining("tasks.db: the disk failed");
            }
            assertThat(store.find(id(1))).isPresent();
            assertThat(store.find(id(2))).isEmpty();
            assertThat(store.find(id(4))).isEmpty();
        }
        try (var store = SqliteTaskStore.at(file)) {
            assertThat(store.find(id(1))).isPresent();
            store.commit(creation(task(2)));
        }
    }

    @Test
    void room_that_lacks_for_the_shared_memory_of_sqlite_is_a_full_disk_too_and_not_the_end() {
        var failure = new SQLiteException("disk I/O error", SQLiteErrorCode.SQLITE_IOERR_SHMSIZE);
        assertThat(SqliteFailures.of(file, failure)).isInstanceOf(StoreFullException.class);
        assertThat(SqliteFailures.isFatal(failure)).isFalse();
        var write = new SQLiteException("disk I/O error", SQLiteErrorCode.SQLITE_IOERR_WRITE);
        assertThat(SqliteFailures.isFatal(write)).isTrue();
    }

    @Test
    void a_store_is_joined_and_read_while_the_disk_is_full_and_its_lease_stored_with_the_next_write() {
        var old = SqliteTaskStore.at(file);
        var lease = old.join("node", NOW);
        old.commit(creation(task(1)));
        old.close();
        disk.fill();
        try (var store = SqliteTaskStore.at(file, disk::open)) {
            var next = store.join("node", NOW);
            assertThat(next.epoch()).isEqualTo(lease.epoch() + 1);
            assertThat(store.find(id(1))).isPresent();
            assertThatThrownBy(() -> store.claim(next, 10, NOW)).isInstanceOf(StoreFullException.class);
            disk.free();
            store.commit(creation(task(2)));
        }
        try (var store = SqliteTaskStore.at(file)) {
            assertThat(store.join("node", NOW).epoch()).isEqualTo(lease.epoch() + 2);
        }
    }

    @Test
    void a_lease_of_a_full_disk_claims_what_the_last_process_left_as_soon_as_there_is_room() {
        try (var old = SqliteTaskStore.at(file)) {
            old.commit(creation(task(1)));
        }
        disk.fill();
        try (var store = SqliteTaskStore.at(file, disk::open)) {
            var lease = store.join("node", NOW);
            disk.free();
            assertThat(store.claim(lease, 10, NOW)).hasSize(1);
            store.leave(lease, NOW);
            assertThat(store.claim(lease, 10, NOW)).isEmpty();
        }
    }

    @Test
    void a_reserve_makes_the_room_that_opening_takes_and_is_set_aside_again_at_the_end() throws Exception {
        SqliteTaskStore.at(file).close();
        var reserve = folder.resolve("tasks.db.reserve");
        assertThat(reserve).hasSize(Reserve.BYTES);
        try (var store = SqliteTaskStore.at(file, path -> openWithout(reserve, path))) {
            assertThat(reserve).doesNotExist();
            assertThat(store.find(id(1))).isEmpty();
        }
        assertThat(reserve).hasSize(Reserve.BYTES);
    }

    @Test
    void a_disk_without_room_or_reserve_is_told_as_full() throws Exception {
        SqliteTaskStore.at(file).close();
        Files.delete(folder.resolve("tasks.db.reserve"));
        assertThatThrownBy(() -> SqliteTaskStore.at(file, path -> {
                    throw new SQLiteException("disk I/O error", SQLiteErrorCode.SQLITE_IOERR_SHMSIZE);
                }))
                .isInstanceOf(StoreFullException.class);
        SqliteTaskStore.at(file).close();
    }

    @Test
    void the_operator_is_told_of_storage_that_cannot_be_reached_once_a_minute_and_without_a_trace() {
        List<String> lines = new ArrayList<>();
        List<Runnable> minutes = new ArrayList<>();
        var operator = new Operator(
                new SqliteFailures(file),
                (line, trace) -> lines.add(line + (trace == null ? "" : trace)),
                minutes::add);
        var away = new StoreUnreachableException("task store db: the database cannot be reached: refused", null);
        operator.tell(away);
        operator.tell(away);
        operator.tell(away);
        minutes.removeFirst().run();
        minutes.removeFirst().run();
        assertThat(minutes).isEmpty();
        var line = "Task store db: the database cannot be reached: refused; refused: ";
        var end = "; all goes on as soon as there is a connection";
        assertThat(lines).containsExactly(line + 1 + end, line + 2 + end);
    }

    @Test
    void the_operator_is_told_of_a_full_disk_once_a_minute() {
        var lines = new ArrayList<String>();
        var minutes = new ArrayList<Runnable>();
        var operator = new Operator(new SqliteFailures(file), (line, failure) -> lines.add(line), minutes::add);
        var full = new SQLiteException("database or disk is full", SQLiteErrorCode.SQLITE_FULL);
        for (var i = 0; i < 100; i++) {
            operator.tell(full);
        }
        assertThat(lines).hasSize(1).first().asString().contains("the disk is full, refused writes: 1;");
        pass(minutes);
        assertThat(lines).hasSize(2).last().asString().contains("refused writes: 99;");
        pass(minutes);
        assertThat(lines).hasSize(2);
        assertThat(minutes).isEmpty();
        operator.tell(full);
        assertThat(lines).hasSize(3);
        operator.tell(new SQLException("something else"));
        assertThat(lines).hasSize(4);
    }

    private static SqliteSession openWithout(Path reserve, Path path) throws SQLException {
        if (Files.exists(reserve)) {
            throw new SQLiteException("disk I/O error", SQLiteErrorCode.SQLITE_IOERR_SHMSIZE);
        }
        return DataFile.openWriter(path);
    }

    private static void pass(List<Runnable> minutes) {
        var over = List.copyOf(minutes);
        minutes.clear();
        over.forEach(Runnable::run);
    }
}
