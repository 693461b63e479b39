// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;

/**
 * Finds out whether a pooler mixes up the prepared statements of its clients. Two connections prepare different
 * statements in turn: the driver gives both the same name, and a pooler that has one session of the database for both,
 * or several for one of them, has the database refuse one within a few turns.
 */
record PoolerCheck(DataSource database) {

    private static final int TURNS = 4;

    /** @throws SQLException where the pooler mixes them up */
    void run() throws SQLException {
        try (var one = database.getConnection();
                var other = database.getConnection()) {
            if (prepares(one)) {
                prepareInTurn(one, other);
            }
        }
    }

    /** Whether the driver names statements at the database at all. */
    private static boolean prepares(Connection connection) throws SQLException {
        return connection.isWrapperFor(PGConnection.class)
                && connection.unwrap(PGConnection.class).getPrepareThreshold() > 0;
    }

    private static void prepareInTurn(Connection one, Connection other) throws SQLException {
        one.setAutoCommit(true);
        other.setAutoCommit(true);
        try (var first = one.prepareStatement("SELECT 1");
                var second = other.prepareStatement("SELECT 2")) {
            first.unwrap(PGStatement.class).setPrepareThreshold(1);
            second.unwrap(PGStatement.class).setPrepareThreshold(1);
            for (int turn = 0; turn < TURNS; turn++) {
                first.executeQuery().close();
                second.executeQuery().close();
            }
        }
    }
}
