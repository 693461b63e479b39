// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import static io.longhaul.store.contract.TaskFixtures.ALICE;
import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.end;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.question;
import static io.longhaul.store.contract.TaskFixtures.start;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.store.contract.TaskFixtures;
import io.longhaul.store.jdbc.codec.RowSeal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SqliteSealTest {

    private static final String SECRET = "sesame";

    @TempDir
    Path folder;

    private final String newKey = DataKeys.generate("new", new SecureRandom());
    private final String oldKey = DataKeys.generate("old", new SecureRandom());

    private SqliteTaskStore open(String... keys) {
        return SqliteTaskStore.at(folder.resolve("tasks.db"), DataKeys.parse(String.join("\n", keys)));
    }

    private SqliteTaskStore plain() {
        return SqliteTaskStore.at(folder.resolve("tasks.db"));
    }

    /** A text of that many characters that must not be read in the file. */
    private static Payload secret(int length) {
        return Payload.ofText("\"" + SECRET + "-".repeat(length) + "\"");
    }

    /** A task with a secret in each place that holds what peers have said, kept in its row where it is short. */
    private static Task fill(SqliteTaskStore store, long number, int length) {
        var spec = new TaskSpec(ALICE, "work", secret(length), secret(length), null, NOW);
        var lease = store.join("node", NOW);
        var task = commit(store, creation(task(number, spec)));
        task = commit(store, start(task, lease));
        task = commit(store, question(task, "k", secret(length)));
        task = commit(store, TaskFixtures.answer(task, "k", secret(length)));
        task = commit(
                store,
                TaskFixtures.change(
                        task,
                        task.status(),
                        task.execution(),
                        lease,
                        new EventDetail.Emitted(secret(length)),
                        new EventDetail.Said(SECRET),
                        new EventDetail.Logged("info", null, secret(length)),
                        new EventDetail.StepDone(SECRET, secret(length))));
        task = commit(store, end(task, new Outcome.Result(secret(length), false), NOW, true));
        store.rows().put(new StoredRow("sessions", "s", secret(length), null));
        return task;
    }

    private static Task commit(SqliteTaskStore store, Change change) {
        store.commit(change);
        return change.after();
    }

    /** What lies in the folder, byte by byte. */
    private boolean isOnDisk(String text) throws IOException {
        try (var files = Files.list(folder)) {
            for (var file : files.toList()) {
                if (Files.isRegularFile(file)
                        && new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text)) {
                    return true;
                }
            }
        }
        return false;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5_000})
    void nothing_that_a_peer_has_said_can_be_read_in_the_files(int length) throws IOException {
        Task task;
        List<?> history;
        try (var store = open(newKey)) {
            task = fill(store, 1, length);
            history = store.history(task.id(), 0, 99);
            assertThat(isOnDisk(SECRET)).isFalse();
        }
        assertThat(isOnDisk(SECRET)).isFalse();
        try (var store = open(newKey)) {
            assertThat(store.find(task.id())).contains(task);
            assertThat(store.history(task.id(), 0, 99)).hasSize(9).isEqualTo(history);
            assertThat(store.rows().get("sessions", "s", NOW).orElseThrow().value())
                    .isEqualTo(secret(length));
        }
    }

    @Test
    void without_a_key_all_of_it_can_be_read() throws IOException {
        try (var store = plain()) {
            fill(store, 1, 1);
        }
        assertThat(isOnDisk(SECRET)).isTrue();
    }

    @Test
    void a_file_is_refused_without_its_key_and_with_another_one_of_the_same_id() {
        try (var store = open(newKey)) {
            fill(store, 1, 1);
        }
        assertThatThrownBy(this::plain)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("sealed with the data key new, which is not among those given");
        var other = DataKeys.generate("new", new SecureRandom());
        assertThatThrownBy(() -> open(other))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the data key new is not the one that has sealed it");
        try (var store = open(newKey)) {
            assertThat(store.find(id(1))).isPresent();
        }
    }

    @Test
    void a_key_is_replaced_by_another_one_and_goes_when_nothing_is_sealed_with_it() {
        Task first;
        try (var store = open(oldKey)) {
            first = fill(store, 1, 5_000);
        }
        try (var store = open(newKey, oldKey)) {
            assertThat(store.find(first.id())).contains(first);
            fill(store, 2, 5_000);
        }
        assertThatThrownBy(() -> open(newKey)).hasMessageContaining("the data key old");
        try (var store = open(newKey, oldKey)) {
            assertThat(store.remove(first.id())).isTrue();
        }
        for (int start = 0; start < 2; start++) {
            try (var store = open(newKey)) {
                assertThat(store.find(first.id())).isEmpty();
                assertThat(store.find(id(2))).isPresent();
            }
        }
    }

    @Test
    void what_was_stored_before_there_were_keys_is_read_on() throws IOException {
        Task before;
        try (var store = plain()) {
            before = fill(store, 1, 1);
        }
        try (var store = open(newKey)) {
            assertThat(store.find(before.id())).contains(before);
            assertThat(store.remove(before.id())).isTrue();
            store.rows().remove("sessions", "s");
        }
        assertThat(isOnDisk(SECRET)).isFalse();
    }

    @Test
    void a_sealed_row_is_of_no_use_in_another_place() throws SQLException {
        try (var store = open(newKey)) {
            fill(store, 1, 1);
            fill(store, 2, 1);
        }
        try (var session = DataFile.openWriter(folder.resolve("tasks.db"))) {
            session.update(
                    "UPDATE task SET body = (SELECT body FROM task WHERE id = ?) WHERE id = ?",
                    id(1).value(),
                    id(2).value());
        }
        try (var store = open(newKey)) {
            assertThatThrownBy(() -> store.find(id(2)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("was changed, or sealed with another key");
            assertThat(store.find(id(1))).isPresent();
        }
    }

    /** Without keys, too. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void what_was_deleted_or_has_expired_is_in_no_file_after_a_clean_stop(boolean isDeleted) throws IOException {
        try (var store = plain()) {
            var task = fill(store, 1, 5_000);
            int gone = isDeleted ? (store.remove(task.id()) ? 1 : 0) : store.sweep(NOW.plus(Duration.ofDays(2)), 10);
            assertThat(gone).isEqualTo(1);
            store.rows().remove("sessions", "s");
        }
        assertThat(isOnDisk(SECRET)).isFalse();
    }

    @Test
    void each_blob_has_a_nonce_of_its_own_also_after_a_restart() throws SQLException {
        for (int start = 0; start < 3; start++) {
            try (var store = open(newKey)) {
                fill(store, start + 1, 1);
            }
        }
        var heads = new ArrayList<String>();
        try (var session = DataFile.openReader(folder.resolve("tasks.db"))) {
            var head = RowSeal.start("new").length + 24;
            heads.addAll(session.query(row -> row.getString(1), "SELECT hex(substr(spec, 1, ?)) FROM task", head));
            heads.addAll(session.query(row -> row.getString(1), "SELECT hex(substr(body, 1, ?)) FROM task", head));
            heads.addAll(session.query(row -> row.getString(1), "SELECT hex(substr(body, 1, ?)) FROM event", head));
        }
        assertThat(heads).hasSizeGreaterThan(20).doesNotHaveDuplicates();
    }
}
