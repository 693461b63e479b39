// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.store.jdbc.sql.SessionSource;
import io.longhaul.store.jdbc.sql.SqlSession;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Sessions on connections of a pool, each of which goes back behind its transaction. Thread-safe. */
record PooledSessions(DataSource pool, String beginning) implements SessionSource {

    /** So many connections of a pool are found dead before it counts as dead itself. */
    private static final int MOST_DEAD = 20;

    /**
     * Sessions that write. The database ends a transaction that says nothing for the term of a lease, as where its
     * machine has died: the server that comes next waits for the rows that it has written.
     */
    static PooledSessions writing(DataSource pool, Schema schema) {
        return new PooledSessions(
                pool,
                schema.searchPath() + "; SET LOCAL idle_in_transaction_session_timeout = "
                        + PostgresTaskStore.TERM.toMillis());
    }

    /** Sessions that read, all of a transaction from one state of the data. */
    static PooledSessions reading(DataSource pool, Schema schema) {
        return new PooledSessions(
                pool, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; " + schema.searchPath());
    }

    /** A pool may have connections that the database has closed meanwhile, such as by a restart. */
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

    @Override
    public void giveBack(SqlSession session) throws SQLException {
        session.close();
    }

    @Override
    public void close() {
        // The pool is not closed with those who use it.
    }
}
