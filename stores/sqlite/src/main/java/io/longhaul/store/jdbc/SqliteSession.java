// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import io.longhaul.store.jdbc.sql.SqlSession;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.SQLiteConnection;

/** A session of a data file. */
final class SqliteSession extends SqlSession {

    private final String kind;

    private SqliteSession(Connection connection, String kind) {
        super(connection);
        this.kind = kind;
    }

    /** A session whose transactions take the write lock at their beginning. */
    static SqliteSession writer(Connection connection) {
        return new SqliteSession(connection, "IMMEDIATE");
    }

    static SqliteSession reader(Connection connection) {
        return new SqliteSession(connection, "DEFERRED");
    }

    @Override
    public void begin() throws SQLException {
        update("BEGIN " + kind);
    }

    @Override
    public void commit() throws SQLException {
        update("COMMIT");
    }

    @Override
    public void rollback() throws SQLException {
        update("ROLLBACK");
    }

    /**
     * The number of rows that were written since the session was opened; rows of a rolled-back transaction count too.
     */
    long changes() throws SQLException {
        return connection().unwrap(SQLiteConnection.class).getDatabase().total_changes();
    }

    /** Aborts the statement that another thread runs in this session, if any. */
    void interrupt() {
        try {
            connection().unwrap(SQLiteConnection.class).getDatabase().interrupt();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
