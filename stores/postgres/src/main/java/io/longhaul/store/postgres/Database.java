// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.longhaul.engine.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database, and the connections to it.
 *
 * @param pool      connections for transactions
 * @param upgrading connections for changes of the schema, which may take long
 * @param own       the pool to close with the store; null where the caller owns the pool
 */
record Database(
        DataSource pool,
        DataSource upgrading,
        @Nullable AutoCloseable own,
        SchemaName schema,
        PostgresFailures failures) {

    /** One connection writes, and four read. */
    private static final int CONNECTIONS = 5;

    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** After this time without an answer the database counts as unreachable, and the connection is given up. */
    private static final Duration SILENCE = Duration.ofSeconds(60);

    /** A database with a pool of the caller. */
    static Database of(DataSource pool, SchemaName schema) {
        return new Database(pool, pool, null, schema, new PostgresFailures(name(pool, schema), schema, true));
    }

    private static String name(DataSource pool, SchemaName schema) {
        try (var connection = pool.getConnection()) {
            var url = connection.getMetaData().getURL();
            return url.replaceFirst("^jdbc:", "").replaceFirst("\\?.*", "") + " (schema " + schema.name() + ")";
        } catch (SQLException e) {
            throw new PostgresFailures("in PostgreSQL", schema, true).of(e);
        }
    }

    /** A database with a pool for a store. */
    static Database at(String url, @Nullable String user, @Nullable String password) {
        return at(url, user, password, CONNECTIONS);
    }

    /** A database with a pool of that many connections. */
    static Database at(String url, @Nullable String user, @Nullable String password, int connections) {
        var parsed = Driver.parseURL(url, null);
        if (parsed == null) {
            throw new StoreException("the store is no address of a PostgreSQL database: write it as"
                    + " jdbc:postgresql://HOST:PORT/DATABASE");
        }
        var named = PGProperty.CURRENT_SCHEMA.getOrDefault(parsed);
        var schema = named == null ? SchemaName.STANDARD : new SchemaName(named);
        boolean hasPassword = password != null || PGProperty.PASSWORD.getOrDefault(parsed) != null;
        var failures = new PostgresFailures(name(parsed, schema), schema, hasPassword);
        var direct = new PGSimpleDataSource();
        direct.setURL(url);
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        if (user != null) {
            direct.setUser(user);
            config.setUsername(user);
        }
        if (password != null) {
            direct.setPassword(password);
            config.setPassword(password);
        }
        config.setPoolName("longhaul-store");
        config.setAutoCommit(false);
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(CONNECT.toMillis());
        config.setInitializationFailTimeout(CONNECT.toMillis());
        // Settings in the address override these.
        config.addDataSourceProperty(PGProperty.APPLICATION_NAME.getName(), "longhaul");
        config.addDataSourceProperty(PGProperty.SOCKET_TIMEOUT.getName(), String.valueOf(SILENCE.toSeconds()));
        try {
            var pool = new HikariDataSource(config);
            return new Database(pool, direct, pool, schema, failures);
        } catch (PoolInitializationException e) {
            throw e.getCause() instanceof SQLException cause ? failures.of(cause) : failures.of(e);
        }
    }

    private static String name(Properties parsed, SchemaName schema) {
        return "postgresql://" + PGProperty.PG_HOST.getOrDefault(parsed) + ":" + PGProperty.PG_PORT.getOrDefault(parsed)
                + "/" + PGProperty.PG_DBNAME.getOrDefault(parsed) + " (schema " + schema.name() + ")";
    }

    /**
     * Sets a network timeout of {@link #SILENCE} where the connection has none, as in a pool of the caller.
     *
     * @return the previous timeout in milliseconds
     */
    static int limitSilence(Connection connection) throws SQLException {
        int before = connection.getNetworkTimeout();
        if (before == 0) {
            connection.setNetworkTimeout(Runnable::run, (int) SILENCE.toMillis());
        }
        return before;
    }

    /** Gives a connection back to its pool, with the timeout that it had before {@link #limitSilence}. */
    static void giveBack(Connection taken, int silenceBefore) throws SQLException {
        try (taken) {
            if (!taken.isClosed()) {
                taken.setNetworkTimeout(Runnable::run, silenceBefore);
            }
        }
    }

    void upgrade() {
        schema.upgrade(upgrading, failures);
    }

    /** Closes the pool, unless the caller owns it. */
    void close() {
        try {
            if (own != null) {
                own.close();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
