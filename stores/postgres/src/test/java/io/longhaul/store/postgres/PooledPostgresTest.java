// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.store.contract.SharedStoreContract;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.testkit.NeedsPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Several nodes behind a pooler, which passes no notifications on and gives each transaction another connection. */
@NeedsPostgres
@EnabledIf("io.longhaul.store.postgres.Bouncer#isInstalled")
final class PooledPostgresTest extends SharedStoreContract {

    private static Bouncer bouncer;

    @BeforeAll
    static void start() throws IOException {
        bouncer = Bouncer.before(TestDatabase.port());
    }

    @AfterAll
    static void stop() {
        bouncer.close();
    }

    @Override
    protected TaskStore open(Path folder) {
        return open(bouncer.url(TestDatabase.schemaOf(folder)));
    }

    private static TaskStore open(String url) {
        return PostgresTaskStore.at(url, null, null, DataKeys.NONE);
    }

    @Test
    void a_server_without_what_a_pooler_needs_is_told_what_to_add() {
        // Each statement is prepared at once: a name that two clients of the pooler give meets on one connection.
        var address = bouncer.url(TestDatabase.newSchema()).replace("&prepareThreshold=0", "&prepareThreshold=1");
        assertThatThrownBy(() -> {
                    try (var one = open(address);
                            var other = open(address)) {
                        for (int number = 1; number < 100; number++) {
                            one.commit(creation(task(number)));
                            other.find(id(number));
                        }
                    }
                })
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("add prepareThreshold=0 to the address");
    }

    @Test
    void a_listener_behind_a_pooler_knows_that_it_hears_nothing() throws Exception {
        var schema = TestDatabase.newSchema();
        try (var direct = TestDatabase.direct().getConnection();
                var statement = direct.createStatement();
                var store = open(bouncer.url(schema))) {
            statement.execute("LISTEN longhaul");
            var listening = store.rows().listen("ann", () -> {});
            var heard = List.of("");
            while (!heard.contains(schema + " ? ann")) {
                heard = Stream.of(direct.unwrap(PGConnection.class).getNotifications(0))
                        .map(PGNotification::getParameter)
                        .toList();
            }
            assertThat(listening.hears().getAsBoolean()).isFalse();
        }
    }

    /** At the first start many statements meet, at a later one few. */
    @Test
    void each_start_without_what_a_pooler_needs_is_refused() {
        var schema = TestDatabase.newSchema();
        open(bouncer.url(schema)).close();
        var address = bouncer.url(schema).replace("&prepareThreshold=0", "");
        for (int start = 0; start < 3; start++) {
            assertThatThrownBy(() -> open(address))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("add prepareThreshold=0 to the address");
        }
    }

    @Override
    protected void pass(Path folder, Duration time) throws SQLException {
        TestDatabase.pass(folder, time);
    }
}
