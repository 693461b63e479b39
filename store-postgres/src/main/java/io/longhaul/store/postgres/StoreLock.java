// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.engine.store.StoreInUseException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a second server away from a store, as long as servers do not serve the tasks of one another. The database
 * frees the lock with the connection of a server that dies. It is a courtesy: what keeps an older server from writing
 * is the lease in each statement. Thread-safe.
 */
final class StoreLock {

    private static final Logger LOG = LoggerFactory.getLogger(StoreLock.class);
    private static final String TAKE = "SELECT pg_try_advisory_lock(hashtext('io.longhaul.store'), hashtext(?))";
    private static final int ANSWER_SECONDS = 5;

    private final DataSource pool;
    private final Schema schema;
    private final PostgresFailures failures;
    private @Nullable Connection connection;

    StoreLock(DataSource pool, Schema schema, PostgresFailures failures) {
        this.pool = pool;
        this.schema = schema;
        this.failures = failures;
    }

    /**
     * Takes the lock, or takes it again where its connection was lost.
     *
     * @throws StoreInUseException where another server has it
     */
    synchronized void hold() throws SQLException {
        if (connection != null && connection.isValid(ANSWER_SECONDS)) {
            return;
        }
        release();
        var taken = pool.getConnection();
        try {
            taken.setAutoCommit(true);
            if (!isTaken(taken)) {
                throw new StoreInUseException(failures.store() + ": another server has it, and only one at a time may:"
                        + " end that server, or use another schema");
            }
            connection = taken;
        } finally {
            if (connection == null) {
                taken.close();
            }
        }
    }

    private boolean isTaken(Connection taken) throws SQLException {
        try (var statement = taken.prepareStatement(TAKE)) {
            statement.setString(1, schema.name());
            try (var row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    /** Frees the lock; a pool would keep the connection, and the lock with it. */
    synchronized void release() {
        var held = connection;
        connection = null;
        if (held == null) {
            return;
        }
        try (held;
                var statement = held.createStatement()) {
            statement.execute("SELECT pg_advisory_unlock_all()");
        } catch (SQLException e) {
            LOG.debug("The lock of {} went with its connection", failures.store(), e);
        }
    }
}
