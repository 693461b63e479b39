// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.store.jdbc.DataKeys;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** One PostgreSQL for all tests of a process, with a pool for each store; each test has a schema of its own. */
final class TestDatabase {

    private static final AtomicInteger SCHEMAS = new AtomicInteger();
    private static final Map<Path, String> OF_FOLDERS = new ConcurrentHashMap<>();
    private static final EmbeddedPostgres SERVER = start();

    private TestDatabase() {}

    private static EmbeddedPostgres start() {
        try {
            var server = EmbeddedPostgres.builder()
                    // It is off by default, and then nothing that is committed is durable.
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The name of a schema that is not there yet. */
    static String newSchema() {
        return "test_" + SCHEMAS.incrementAndGet();
    }

    /** The schema that stands for a folder: one that is not there yet where the folder is new. */
    static String schemaOf(Path folder) {
        return OF_FOLDERS.computeIfAbsent(folder, path -> newSchema());
    }

    /** The address of the database, with a schema. */
    static String url(String schema) {
        return SERVER.getJdbcUrl("postgres", "postgres") + "&currentSchema=" + schema;
    }

    static int port() {
        return SERVER.getPort();
    }

    /** Has time pass: all that the clock of the database is compared with happened so much earlier. */
    static void pass(Path folder, Duration time) throws SQLException {
        var by = " - interval '" + time.toMillis() + " milliseconds'";
        run("UPDATE " + schemaOf(folder) + ".lease SET expires_at = expires_at" + by + ", held_since = held_since"
                + by);
    }

    static DataSource direct() {
        return SERVER.getPostgresDatabase();
    }

    /** A database of its own, for a test in which the schema has its usual name. */
    static DataSource newDatabase() throws SQLException {
        var name = newSchema();
        run("CREATE DATABASE " + name);
        return SERVER.getDatabase("postgres", name);
    }

    static PostgresTaskStore store(String schema) {
        return store(schema, DataKeys.NONE);
    }

    static PostgresTaskStore store(String schema, DataKeys keys) {
        return PostgresTaskStore.at(url(schema), null, null, keys);
    }

    static PostgresNodes nodes(String schema) {
        return PostgresNodes.at(url(schema), null, null);
    }

    /** The first column of the rows of a query. */
    static List<String> query(String sql) throws SQLException {
        return query(direct(), sql);
    }

    static List<String> query(DataSource database, String sql) throws SQLException {
        try (var connection = database.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            var found = new ArrayList<String>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        }
    }

    /** Runs a statement that gives no rows. */
    static void run(String sql) throws SQLException {
        run(direct(), sql);
    }

    /** Runs statements that give no rows. */
    static void run(DataSource database, String sql) throws SQLException {
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** A call of a method of JDBC. */
    interface Call {
        Object of(Method method, Object[] args) throws Exception;
    }

    /** An object of JDBC whose calls go to {@code call}, which may pass them on to another object. */
    static <T> T passing(Class<T> type, Call call) {
        InvocationHandler handler = (self, method, args) -> {
            try {
                return call.of(method, args);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
