// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.store.jdbc.sql.SqlSession;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * A connection of the pool, for one transaction or one statement. Settings of a transaction are made at its beginning,
 * and hold for that transaction only: the next transaction may run on another connection, and behind a pooler on
 * another connection of the database.
 */
final class PostgresSession extends SqlSession {

    private static final int ROWS_AT_ONCE = 50;

    private final String beginning;
    private boolean isBegun;
    private int silenceBefore;

    /** @param beginning the first statements of each transaction */
    PostgresSession(Connection connection, String beginning) {
        super(connection);
        this.beginning = beginning;
    }

    /** Begins the first transaction at once, so that a dead connection fails here. */
    void open() throws SQLException {
        silenceBefore = Database.limitSilence(connection());
        begin();
        isBegun = true;
    }

    /** Prepares for statements outside of a transaction. */
    void openSingle() throws SQLException {
        silenceBefore = Database.limitSilence(connection());
        if (!connection().getAutoCommit()) {
            connection().setAutoCommit(true);
        }
    }

    @Override
    public void begin() throws SQLException {
        if (isBegun) {
            isBegun = false;
            return;
        }
        if (connection().getAutoCommit()) {
            connection().setAutoCommit(false);
        }
        // The driver begins a transaction with the first statement.
        script(beginning);
    }

    @Override
    public void commit() throws SQLException {
        connection().commit();
    }

    @Override
    public void rollback() throws SQLException {
        connection().rollback();
    }

    @Override
    public void close() throws SQLException {
        Database.giveBack(connection(), silenceBefore);
    }

    @Override
    protected void readPiecemeal(PreparedStatement statement) throws SQLException {
        statement.setFetchSize(ROWS_AT_ONCE);
    }
}
