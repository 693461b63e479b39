// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.task.Payload;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows beside the tasks, in the same database. The table has the name that rows had first. */
public record SqlRowStore(WriteQueue writer, ReadPool readers, RowSeal seal) implements RowStore {
    private static final String PUT = """
        INSERT INTO handle (space, key, value, expires_at) VALUES (?, ?, ?, ?)
        ON CONFLICT (space, key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
        """;
    private static final String GET = """
        SELECT space, key, value, expires_at FROM handle
        WHERE space = ? AND key = ? AND (expires_at IS NULL OR expires_at > ?)
        """;
    private static final String LIST = """
        SELECT space, key, value, expires_at FROM handle
        WHERE space = ? AND key > ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY key LIMIT ?
        """;
    private static final String LIST_ALL = """
        SELECT space, key, value, expires_at FROM handle
        WHERE space = ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY key LIMIT ?
        """;
    private static final String REMOVE = "DELETE FROM handle WHERE space = ? AND key = ?";
    private static final String SWEEP = """
        DELETE FROM handle WHERE (space, key) IN
        (SELECT space, key FROM handle WHERE expires_at IS NOT NULL AND expires_at <= ? LIMIT ?)
        """;

    @Override
    public void put(StoredRow row) {
        var expiry = row.expiresAt();
        var value = seal.seal(row.value().bytes(), place(row.space(), row.key()));
        writer.write(session ->
                session.update(PUT, row.space(), row.key(), value, expiry == null ? null : Times.toColumn(expiry)));
    }

    @Override
    public Optional<StoredRow> get(String space, String key, Instant now) {
        return readers.read(
                session -> session.queryOne(row -> stored(row, seal), GET, space, key, Times.toColumn(now)));
    }

    @Override
    public List<StoredRow> list(String space, @Nullable String after, int limit, Instant now) {
        return readers.read(session -> after == null
                ? list(session, seal, space, limit, now)
                : session.query(row -> stored(row, seal), LIST, space, after, Times.toColumn(now), Math.max(0, limit)));
    }

    /** The first rows of a space. */
    public static List<StoredRow> list(SqlSession session, RowSeal seal, String space, int limit, Instant now)
            throws SQLException {
        return session.query(row -> stored(row, seal), LIST_ALL, space, Times.toColumn(now), Math.max(0, limit));
    }

    @Override
    public void remove(String space, String key) {
        writer.write(session -> session.update(REMOVE, space, key));
    }

    @Override
    public int sweep(Instant now, int limit) {
        return writer.write(session -> session.update(SWEEP, Times.toColumn(now), Math.max(0, limit)));
    }

    private static StoredRow stored(ResultSet row, RowSeal seal) throws SQLException {
        var space = row.getString(1);
        var key = row.getString(2);
        var value = Payload.of(seal.open(row.getBytes(3), place(space, key)));
        var expiry = row.getLong(4);
        return new StoredRow(space, key, value, row.wasNull() ? null : Times.fromColumn(expiry));
    }

    private static String place(String space, String key) {
        return "row " + space + ' ' + key;
    }
}
