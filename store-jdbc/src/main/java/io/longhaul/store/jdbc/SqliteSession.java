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

    /** One whose transactions take the right to write at once. */
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

    /** How many rows were written since this was opened; those of a transaction that was rolled back count too. */
    long changes() throws SQLException {
        return connection().unwrap(SQLiteConnection.class).getDatabase().total_changes();
    }

    /** Breaks off what another thread does with this session; nothing happens where it does nothing. */
    void interrupt() {
        try {
            connection().unwrap(SQLiteConnection.class).getDatabase().interrupt();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
