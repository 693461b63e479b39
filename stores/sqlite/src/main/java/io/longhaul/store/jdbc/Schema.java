// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import io.longhaul.engine.store.StoreException;
import io.longhaul.store.jdbc.sql.SqlSession;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Upgrades a data file to the newest schema. The {@code user_version} of the file is the number of its schema. */
final class Schema {
    private static final Logger LOG = LoggerFactory.getLogger(Schema.class);

    /** The {@code application_id} of the store's SQLite files: "LHTK". */
    private static final int APPLICATION = 0x4C48544B;

    /** The {@code n}th file upgrades to schema {@code n}. */
    private static final List<String> MIGRATIONS = List.of("V1__tasks.sql");

    private Schema() {}

    static void upgrade(SqlSession session, Path file) throws SQLException {
        upgrade(session, file, MIGRATIONS);
    }

    /**
     * Runs each migration in one transaction with its change of the version, so that a crash leaves no partial
     * migration.
     */
    static void upgrade(SqlSession session, Path file, List<String> migrations) throws SQLException {
        var version = pragma(session, "user_version");
        if (version > migrations.size()) {
            throw new StoreException(
                    "task store " + file + " has schema " + version + ", and this version of Longhaul knows "
                            + migrations.size() + " at most: it was written by a newer one, use that or a newer one");
        }
        refuseForeign(session, file, version);
        for (var next = version + 1; next <= migrations.size(); next++) {
            session.begin();
            session.script(read(migrations.get(next - 1)));
            session.script("PRAGMA application_id = " + APPLICATION);
            session.script("PRAGMA user_version = " + next);
            session.commit();
            LOG.debug("Task store {} has schema {} now", file, next);
        }
    }

    private static void refuseForeign(SqlSession session, Path file, int version) throws SQLException {
        var isOurs = pragma(session, "application_id") == APPLICATION;
        var isEmpty = session.queryOne(row -> row.getInt(1), "SELECT count(*) FROM sqlite_schema")
                        .orElse(0)
                == 0;
        if (!isOurs && !(isEmpty && version == 0)) {
            throw new StoreException(
                    "task store " + file + ": it is a SQLite database of another program: use another file");
        }
    }

    private static int pragma(SqlSession session, String name) throws SQLException {
        return session.queryOne(row -> row.getInt(1), "PRAGMA " + name).orElse(0);
    }

    private static String read(String name) {
        try (var in = Schema.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the migration " + name + " is not in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
