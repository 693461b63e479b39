// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.store.jdbc.sql.ReadPool.Read;
import io.longhaul.store.jdbc.sql.SessionSource;
import io.longhaul.store.jdbc.sql.SqlSession;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Sessions on connections of a pool; a connection goes back to the pool after its transaction. Thread-safe. */
record PooledSessions(DataSource pool, String beginning) implements SessionSource {

    /** After this many dead connections the database counts as unreachable. */
    private static final int MOST_DEAD = 20;

    /**
     * Sessions that write. The database ends a transaction that is idle for the term of a lease, for example because
     * the machine of its server has died: otherwise the next server would wait for the rows of that transaction. A
     * claim is compiled where the database takes it for long, which takes hundreds of times as long as the claim.
     */
    static PooledSessions writing(DataSource pool, SchemaName schema) {
        return new PooledSessions(
                pool,
                schema.searchPath() + "; SET LOCAL jit = off; SET LOCAL idle_in_transaction_session_timeout = "
                        + PostgresTaskStore.TERM.toMillis());
    }

    /** Sessions that read; a transaction sees one snapshot of the data. */
    static PooledSessions reading(DataSource pool, SchemaName schema) {
        return new PooledSessions(
                pool, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; " + schema.searchPath());
    }

    /** Takes a live connection: a pool may have connections that the database has closed, for example by a restart. */
    @Override
    public SqlSession take() throws SQLException {
        for (int left = MOST_DEAD; ; left--) {
            var session = new PostgresSession(pool.getConnection(), beginning);
            try {
                session.open();
                return session;
            } catch (SQLException e) {
                session.close();
                if (left == 0 || !PostgresFailures.isGone(e)) {
                    throw e;
                }
            }
        }
    }

    /** Runs a statement that names the schema of its tables: the settings of a transaction do not hold for it. */
    @Override
    public <T> T single(Read<T> read) throws SQLException {
        for (int left = MOST_DEAD; ; left--) {
            var connection = pool.getConnection();
            try (var session = new PostgresSession(connection, beginning)) {
                session.openSingle();
                return read.run(session);
            } catch (SQLException e) {
                if (left == 0 || !PostgresFailures.isGone(e)) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void giveBack(SqlSession session) throws SQLException {
        session.close();
    }
}
