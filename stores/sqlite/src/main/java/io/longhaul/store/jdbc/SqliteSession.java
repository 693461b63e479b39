// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import io.longhaul.store.jdbc.sql.SqlSession;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.SQLiteConnection;

/** A session of a data file. */
final class SqliteSession extends SqlSession {

    private final String begin;

    private SqliteSession(Connection connection, String begin) {
        super(connection);
        this.begin = begin;
    }

    /** A session whose transactions take the write lock at their beginning. */
    static SqliteSession writer(Connection connection) {
        return new SqliteSession(connection, "BEGIN IMMEDIATE");
    }

    static SqliteSession reader(Connection connection) {
        return new SqliteSession(connection, "BEGIN DEFERRED");
    }

    @Override
    public void begin() throws SQLException {
        update(begin);
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
