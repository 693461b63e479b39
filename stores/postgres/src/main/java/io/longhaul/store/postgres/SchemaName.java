// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.engine.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * The schema of a database that contains one store.
 *
 * @param name lower-case letters, digits and underscores, so that SQL needs no quotes
 */
record SchemaName(String name) {

    private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
    private static final int OLDEST = 14;

    /** Not the name of a package, because a module would hide the resources of its packages. */
    private static final String MIGRATIONS = "classpath:io/longhaul/store/postgres-schema";

    /** The default schema. */
    static final SchemaName STANDARD = new SchemaName("longhaul");

    SchemaName {
        if (!NAME.matcher(name).matches()) {
            throw new StoreException("'" + name + "' cannot be the schema of a task store: a schema has up to 63"
                    + " lower-case letters, digits and underscores, and does not begin with a digit");
        }
    }

    /** The statement that sets this schema as the search path until the end of the transaction. */
    String searchPath() {
        return "SET LOCAL search_path TO " + name;
    }

    /**
     * Creates a missing schema, and upgrades an older schema. Of several nodes that start at once, one node does so and
     * the others wait. A node of an older version of Longhaul can use a newer schema: additions do not affect nodes
     * that do not know them.
     *
     * @throws StoreException where the database is too old, or refuses the upgrade
     */
    void upgrade(DataSource database, PostgresFailures failures) {
        try (var connection = database.getConnection()) {
            refuseOld(connection, failures);
        } catch (SQLException e) {
            throw failures.of(e);
        }
        try {
            Flyway.configure(getClass().getClassLoader())
                    .dataSource(database)
                    .schemas(name)
                    .defaultSchema(name)
                    .createSchemas(true)
                    .table("schema_version")
                    .locations(MIGRATIONS)
                    .placeholderReplacement(false)
                    .loggers("slf4j")
                    .load()
                    .migrate();
        } catch (FlywayException e) {
            var cause = e.getCause();
            throw new StoreException(
                    failures.store() + ": its schema cannot be brought to this version of Longhaul: "
                            + (cause instanceof SQLException sql ? failures.words(sql) : e.getMessage()),
                    e);
        }
    }

    private static void refuseOld(Connection connection, PostgresFailures failures) throws SQLException {
        int version = connection.getMetaData().getDatabaseMajorVersion();
        if (version < OLDEST) {
            throw new StoreException(failures.store() + ": it is PostgreSQL " + version + ", and Longhaul needs "
                    + OLDEST + " or newer: upgrade the database");
        }
    }
}
