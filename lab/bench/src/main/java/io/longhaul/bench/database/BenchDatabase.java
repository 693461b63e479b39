// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.database;

import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.store.postgres.PostgresTaskStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The database that is measured. Thread-safe.
 *
 * @param url the address for the JDBC driver, without a password
 */
record BenchDatabase(String url) {

    /** The variable with the password, the same as for {@code longhaul serve}. */
    private static final String PASSWORD = "LONGHAUL_STORE_PASSWORD";

    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private static final String BACKEND = """
        SELECT CASE WHEN coalesce(inet_server_addr() <<= '127.0.0.0/8' OR inet_server_addr() = '::1', true)
        THEN pg_backend_pid() END
        """;

    /** A schema that does not exist yet. */
    BenchSchema newSchema() {
        var name = "longhaul_bench_" + ProcessHandle.current().pid() + "_" + SCHEMAS.incrementAndGet();
        return new BenchSchema(this, name);
    }

    String url(String schema) {
        return url + (url.contains("?") ? "&" : "?") + "currentSchema=" + schema;
    }

    static Connection connect(String url) throws SQLException {
        var settings = new Properties();
        var password = System.getenv(PASSWORD);
        if (password != null) {
            settings.setProperty("password", password);
        }
        return DriverManager.getConnection(url, settings);
    }

    static PostgresTaskStore store(String url) {
        return PostgresTaskStore.at(url, null, System.getenv(PASSWORD), DataKeys.NONE);
    }

    /** The CPU time of the database's live processes so far; empty where they cannot be seen from here. */
    Optional<Duration> cpu() throws SQLException {
        try (var connection = connect(url);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(BACKEND)) {
            rows.next();
            long pid = rows.getLong(1);
            return ProcessHandle.of(pid)
                    .filter(backend -> !rows(backend).isEmpty())
                    .flatMap(ProcessHandle::parent)
                    .map(BenchDatabase::ofChildren);
        }
    }

    /** The name of a process of PostgreSQL, else empty: another machine or container may use the same process id. */
    private static String rows(ProcessHandle process) {
        return process.info()
                .commandLine()
                .or(process.info()::command)
                .filter(name -> name.contains("postgres"))
                .orElse("");
    }

    private static Duration ofChildren(ProcessHandle server) {
        return server.children()
                .map(child -> child.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }
}
