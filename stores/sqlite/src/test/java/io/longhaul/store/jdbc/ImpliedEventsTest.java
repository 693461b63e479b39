// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.end;
import static io.longhaul.store.contract.TaskFixtures.progress;
import static io.longhaul.store.contract.TaskFixtures.result;
import static io.longhaul.store.contract.TaskFixtures.start;
import static io.longhaul.store.contract.TaskFixtures.task;
import static io.longhaul.store.contract.TaskFixtures.workEnded;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Task;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ImpliedEventsTest {

    @TempDir
    Path folder;

    private final List<TaskEvent> committed = new ArrayList<>();

    @Test
    void a_task_that_does_nothing_but_end_has_no_rows_of_events() throws SQLException {
        try (var store = open()) {
            var task = ended(store, start(created(store), join(store)), true);
            assertThat(store.history(task.id(), 0, 9)).isEqualTo(committed);
        }
        assertThat(eventRows()).isEmpty();
        try (var store = open()) {
            assertThat(store.history(task(1).id(), 0, 9)).hasSize(3).isEqualTo(committed);
        }
    }

    @Test
    void what_the_task_does_not_imply_has_a_row() throws SQLException {
        try (var store = open()) {
            var started = commit(store, start(created(store), join(store)));
            var ended = ended(store, progress(started, 1), false);
            commit(store, workEnded(ended));
            assertThat(store.history(ended.id(), 0, 9)).hasSize(5).isEqualTo(committed);
        }
        assertThat(eventRows()).containsExactly(3L, 5L);
    }

    @Test
    void an_end_in_the_place_of_the_first_start_has_a_row() throws SQLException {
        try (var store = open()) {
            var ended = commit(store, end(created(store), new Outcome.Cancelled(null), NOW, true));
            assertThat(store.history(ended.id(), 0, 9)).isEqualTo(committed);
        }
        assertThat(eventRows()).containsExactly(2L);
    }

    @Test
    void a_history_is_read_on_from_each_of_its_events() {
        try (var store = open()) {
            var started = commit(store, start(created(store), join(store)));
            var task = ended(store, progress(started, 1), true);
            for (int after = 0; after < committed.size(); after++) {
                assertThat(store.history(task.id(), after, 9)).isEqualTo(committed.subList(after, committed.size()));
                assertThat(store.history(task.id(), after, 1)).containsExactly(committed.get(after));
            }
            assertThat(store.history(task.id(), committed.size(), 9)).isEmpty();
        }
    }

    private SqliteTaskStore open() {
        return SqliteTaskStore.at(folder.resolve("tasks.db"));
    }

    private static Lease join(SqliteTaskStore store) {
        return store.join("node", NOW);
    }

    private Task created(SqliteTaskStore store) {
        return commit(store, creation(task(1)));
    }

    private Task ended(SqliteTaskStore store, Change before, boolean workEnded) {
        return commit(store, end(commit(store, before), result("done"), NOW, workEnded));
    }

    private Task commit(SqliteTaskStore store, Change change) {
        store.commit(change);
        committed.addAll(change.events());
        return change.after();
    }

    private List<Long> eventRows() throws SQLException {
        try (var session = DataFile.openReader(folder.resolve("tasks.db"))) {
            return session.query(row -> row.getLong(1), "SELECT seq FROM event ORDER BY seq");
        }
    }
}
