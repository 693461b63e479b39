// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreInUseException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a second server away from a store, as long as servers do not serve the tasks of one another. It is a courtesy:
 * what keeps an older server from writing is the lease in each statement. Thread-safe.
 *
 * <p>The database frees the lock with its connection. A server that loses the connection takes the lock again, which
 * its former connection may hold for some seconds more.
 */
final class StoreLock {

    private static final Logger LOG = LoggerFactory.getLogger(StoreLock.class);
    private static final String TAKE = "SELECT pg_try_advisory_lock(hashtext('io.longhaul.store'), hashtext(?))";

    /** By default a database waits two hours for a machine that has died without a word. */
    private static final String NOTICE_DEATH = """
        SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
        SET tcp_user_timeout = 15000\
        """;

    private static final String FREE = """
        SELECT pg_advisory_unlock_all();
        RESET tcp_keepalives_idle; RESET tcp_keepalives_interval; RESET tcp_keepalives_count; RESET tcp_user_timeout\
        """;

    private static final int ANSWER_SECONDS = 5;

    private final DataSource pool;
    private final Schema schema;
    private final PostgresFailures failures;
    private @Nullable Connection connection;
    private int silenceBefore;
    private boolean isReleased;

    StoreLock(DataSource pool, Schema schema, PostgresFailures failures) {
        this.pool = pool;
        this.schema = schema;
        this.failures = failures;
    }

    /** @throws StoreInUseException where another server has the lock */
    void take() throws SQLException {
        if (!hold()) {
            throw inUse();
        }
    }

    /** What a server is told that may not have the store. */
    StoreInUseException inUse() {
        return new StoreInUseException(failures.store() + ": another server has it, and only one at a time may:"
                + " end that server, or use another schema");
    }

    /**
     * Takes the lock, or takes it again where its connection was lost.
     *
     * @return false where another connection holds the lock
     */
    synchronized boolean hold() throws SQLException {
        if (isReleased) {
            throw new StoreException(failures.store() + " is closed");
        }
        if (connection != null && connection.isValid(ANSWER_SECONDS)) {
            return true;
        }
        free();
        var taken = pool.getConnection();
        try {
            taken.setAutoCommit(true);
            silenceBefore = Database.limitSilence(taken);
            if (isTaken(taken)) {
                connection = taken;
            }
        } finally {
            if (connection == null) {
                Database.giveBack(taken, silenceBefore);
            }
        }
        return connection != null;
    }

    private boolean isTaken(Connection taken) throws SQLException {
        try (var statement = taken.prepareStatement(TAKE)) {
            statement.setString(1, schema.name());
            try (var row = statement.executeQuery()) {
                row.next();
                if (!row.getBoolean(1)) {
                    return false;
                }
            }
        }
        try (var statement = taken.createStatement()) {
            statement.execute(NOTICE_DEATH);
        }
        return true;
    }

    /** Frees the lock for good. */
    synchronized void release() {
        isReleased = true;
        free();
    }

    /** A pool would keep the connection, and the lock with it. */
    private void free() {
        var held = connection;
        connection = null;
        if (held == null) {
            return;
        }
        try {
            try (var statement = held.createStatement()) {
                statement.execute(FREE);
            } finally {
                Database.giveBack(held, silenceBefore);
            }
        } catch (SQLException e) {
            LOG.debug("The lock of {} went with its connection", failures.store(), e);
        }
    }
}
