// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreInUseException;
import io.longhaul.testkit.NeedsPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What becomes of the lock of a server, and of its store, where the connection of the lock is lost. */
@NeedsPostgres
final class StoreLockTest {

    private final String schema = TestDatabase.newSchema();

    /** A connection that has taken the lock from the server, as the former one of a server still has it for a while. */
    private Connection connectionWithLock() throws SQLException {
        var connection = TestDatabase.direct().getConnection();
        while (!isTrue(connection, "SELECT pg_try_advisory_lock(hashtext('io.longhaul.store'), hashtext(?))")) {
            isTrue(
                    connection,
                    "SELECT count(pg_terminate_backend(pid)) > 0 FROM pg_locks"
                            + " WHERE locktype = 'advisory' AND objid = hashtext(?)::oid");
        }
        return connection;
    }

    private boolean isTrue(Connection connection, String sql) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            statement.setString(1, schema);
            try (var row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    private StoreLock lock(DataSource pool) {
        return new StoreLock(pool, new Schema(schema), new PostgresFailures("postgresql"));
    }

    @Test
    void a_server_that_has_lost_its_lock_writes_on_and_takes_the_lock_again() throws SQLException {
        try (var store = TestDatabase.store(schema)) {
            store.join("node", NOW);
            try (var former = connectionWithLock()) {
                store.renew();
                assertThat(store.commit(creation(task(1)))).isEqualTo(new CommitResult.Committed());
                assertThat(former.isValid(5)).isTrue();
            }
            while (TestDatabase.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted"
                            + " AND objid = hashtext('" + schema + "')::oid")
                    .isEmpty()) {
                store.renew();
            }
            assertThatThrownBy(() -> TestDatabase.store(schema)).isInstanceOf(StoreInUseException.class);
            assertThat(store.commit(creation(task(2)))).isEqualTo(new CommitResult.Committed());
        }
    }

    @Test
    void a_server_whose_store_another_one_has_taken_over_writes_nothing_and_never_takes_the_lock_again()
            throws SQLException {
        try (var store = TestDatabase.store(schema)) {
            store.join("node", NOW);
            try (var other = connectionWithLock()) {
                TestDatabase.run("UPDATE " + schema + ".lease SET epoch = nextval('" + schema + ".lease_epoch')");
                store.renew();
                assertThatThrownBy(() -> store.commit(creation(task(1))))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("another server has it");
                assertThat(other.isValid(5)).isTrue();
            }
            store.renew();
            try (var next = TestDatabase.store(schema)) {
                assertThat(next.commit(creation(task(2)))).isEqualTo(new CommitResult.Committed());
            }
        }
    }

    @Test
    void a_server_with_a_void_lease_gives_the_lock_away_that_it_has() throws SQLException {
        try (var store = TestDatabase.store(schema)) {
            store.join("node", NOW);
            TestDatabase.run("UPDATE " + schema + ".lease SET expires_at = '-infinity'");
            store.renew();
            try (var next = TestDatabase.store(schema)) {
                next.commit(creation(task(1)));
                assertThat(store.find(id(1))).isPresent();
            }
        }
    }

    @Test
    void the_database_notices_within_seconds_that_the_machine_with_the_lock_has_died() throws SQLException {
        var taken = new Connection[1];
        var recording = new PGSimpleDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                taken[0] = super.getConnection();
                return taken[0];
            }
        };
        recording.setURL(TestDatabase.url("public"));
        var lock = lock(recording);
        lock.take();
        try (var statement = taken[0].createStatement();
                var row = statement.executeQuery("SELECT current_setting('tcp_keepalives_idle'),"
                        + " current_setting('tcp_keepalives_interval'), current_setting('tcp_keepalives_count')")) {
            row.next();
            assertThat(row.getInt(1)).isEqualTo(5);
            assertThat(row.getInt(2)).isEqualTo(5);
            assertThat(row.getInt(3)).isEqualTo(3);
        }
        lock.release();
    }

    @Test
    void a_transaction_that_writes_and_falls_silent_is_ended_by_the_database() throws SQLException {
        try (var session = PooledSessions.writing(TestDatabase.direct(), new Schema("public"))
                .take()) {
            session.begin();
            assertThat(session.queryOne(row -> row.getString(1), "SHOW idle_in_transaction_session_timeout"))
                    .contains("15s");
        }
    }

    @Test
    void a_lock_that_was_released_is_not_taken_again() throws SQLException {
        var lock = lock(TestDatabase.direct());
        lock.take();
        lock.release();
        assertThatThrownBy(lock::hold).isInstanceOf(StoreException.class).hasMessageContaining("is closed");
        var next = lock(TestDatabase.direct());
        next.take();
        next.release();
    }
}
