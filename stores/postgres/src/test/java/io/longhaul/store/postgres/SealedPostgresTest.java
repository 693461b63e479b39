// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.contract.TaskFixtures.ALICE;
import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.answer;
import static io.longhaul.store.contract.TaskFixtures.change;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.end;
import static io.longhaul.store.contract.TaskFixtures.question;
import static io.longhaul.store.contract.TaskFixtures.start;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.testkit.NeedsPostgres;
import java.security.SecureRandom;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NeedsPostgres
final class SealedPostgresTest {

    private static final String SECRET = "sesame";

    private final String schema = TestDatabase.newSchema();
    private final DataKeys keys = DataKeys.parse(DataKeys.generate("k", new SecureRandom()));

    private static Payload secret(int length) {
        return Payload.ofText("\"" + SECRET + "-".repeat(length) + "\"");
    }

    private static Task commit(TaskStore store, Change change) {
        store.commit(change);
        return change.after();
    }

    /** A task with a secret in each place that holds what peers have said, kept in its row where it is short. */
    private static Task fill(TaskStore store, int length) {
        var lease = store.join("node", NOW);
        var spec = new TaskSpec(ALICE, "work", secret(length), secret(length), null, NOW);
        var task = commit(store, creation(task(1, spec)));
        task = commit(store, start(task, lease));
        task = commit(store, question(task, "k", secret(length)));
        task = commit(store, answer(task, "k", secret(length)));
        var piece = new EventDetail.Emitted(secret(length));
        task = commit(store, change(task, task.status(), task.execution(), lease, piece));
        task = commit(store, end(task, new Outcome.Result(secret(length), false), NOW, true));
        store.rows().put(new StoredRow("sessions", "s", secret(length), null));
        return task;
    }

    private long secretRows() throws SQLException {
        var count = """
            SELECT (SELECT count(*) FROM %1$s.task WHERE position('%2$s'::bytea IN spec || body) > 0)
                 + (SELECT count(*) FROM %1$s.event WHERE position('%2$s'::bytea IN body) > 0)
                 + (SELECT count(*) FROM %1$s.part WHERE position('%2$s'::bytea IN body) > 0)
                 + (SELECT count(*) FROM %1$s.handle WHERE position('%2$s'::bytea IN value) > 0)
            """.formatted(schema, SECRET);
        return Long.parseLong(TestDatabase.query(count).getFirst());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5_000})
    void nothing_that_a_peer_has_said_can_be_read_in_the_database(int length) throws SQLException {
        Task task;
        try (var store = TestDatabase.store(schema, keys)) {
            task = fill(store, length);
        }
        assertThat(secretRows()).isZero();
        try (var store = TestDatabase.store(schema, keys)) {
            assertThat(store.find(task.id())).contains(task);
            assertThat(store.rows().get("sessions", "s", NOW).orElseThrow().value())
                    .isEqualTo(secret(length));
        }
    }

    @Test
    void without_a_key_it_can() throws SQLException {
        try (var store = TestDatabase.store(schema)) {
            fill(store, 1);
        }
        assertThat(secretRows()).isPositive();
    }

    @Test
    void a_store_is_refused_without_its_key() {
        try (var store = TestDatabase.store(schema, keys)) {
            fill(store, 1);
        }
        assertThatThrownBy(() -> TestDatabase.store(schema))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("sealed with the data key k, which is not among those given");
    }
}
