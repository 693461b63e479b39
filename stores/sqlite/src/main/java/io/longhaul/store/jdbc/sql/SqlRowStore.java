// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.task.Payload;
import io.longhaul.store.jdbc.codec.RowSeal;
import io.longhaul.store.jdbc.codec.Times;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Stores rows in the database of the tasks. The table {@code handle} has the original name of such rows. Thread-safe.
 */
public final class SqlRowStore implements RowStore {
    private static final String PUT = """
        INSERT INTO handle (space, key, value, expires_at) VALUES (?, ?, ?, ?)
        ON CONFLICT (space, key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
        """;
    private static final String GET = """
        SELECT space, key, value, expires_at FROM %shandle
        WHERE space = ? AND key = ? AND (expires_at IS NULL OR expires_at > ?)
        """;
    private static final String LIST = """
        SELECT space, key, value, expires_at FROM %shandle
        WHERE space = ? AND key > ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY key LIMIT ?
        """;
    private static final String LIST_ALL = """
        SELECT space, key, value, expires_at FROM handle
        WHERE space = ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY key LIMIT ?
        """;
    private static final String REPLACE = """
        UPDATE handle SET value = ?, expires_at = ?
        WHERE space = ? AND key = ? AND value = ? AND expires_at IS NOT DISTINCT FROM ?
        """;
    private static final String REMOVE = "DELETE FROM handle WHERE space = ? AND key = ?";

    /** Compares the expiry twice, because another node may have extended it in between. */
    private static final String SWEEP = """
        DELETE FROM handle WHERE (space, key) IN
        (SELECT space, key FROM handle WHERE %s LIMIT ?)
        AND expires_at <= ?
        """;

    private static final String EXPIRED = "expires_at IS NOT NULL AND expires_at <= ?";

    /** Of the present hour the index has the rows that have expired among those that have not, so that hour is left. */
    private static final String EXPIRED_IN_PAST_HOURS = "expires_hour < ? / 3600000000000";

    private final WriteQueue writer;
    private final ReadPool readers;
    private final RowSeal seal;
    private final Runnable beforePut;
    private final boolean isShared;
    private final String get;
    private final String list;
    private final String sweep;

    /**
     * A row store of a database that no other process has open.
     *
     * @param beforePut throws where the disk has no room for a row
     */
    public static SqlRowStore of(WriteQueue writer, ReadPool readers, RowSeal seal, Runnable beforePut) {
        return new SqlRowStore(writer, readers, seal, null, beforePut);
    }

    /** A row store of a schema of a database that other processes may have open. */
    public static SqlRowStore shared(WriteQueue writer, ReadPool readers, RowSeal seal, String schema) {
        return new SqlRowStore(writer, readers, seal, schema, () -> {});
    }

    private SqlRowStore(
            WriteQueue writer, ReadPool readers, RowSeal seal, @Nullable String schema, Runnable beforePut) {
        this.writer = writer;
        this.readers = readers;
        this.seal = seal;
        this.beforePut = beforePut;
        isShared = schema != null;
        get = GET.formatted(TaskRows.prefix(schema));
        list = LIST.formatted(TaskRows.prefix(schema));
        sweep = SWEEP.formatted(isShared ? EXPIRED_IN_PAST_HOURS : EXPIRED);
    }

    @Override
    public boolean isShared() {
        return isShared;
    }

    @Override
    public void put(StoredRow row) {
        beforePut.run();
        var value = seal.seal(row.value().bytes(), place(row.space(), row.key()));
        writer.write(session -> session.update(PUT, row.space(), row.key(), value, expiry(row)));
    }

    /** A row in the form of the table. */
    private record Held(byte[] value, @Nullable Long expiresAt) {
        static Held of(ResultSet row) throws SQLException {
            var value = row.getBytes("value");
            var expiry = row.getLong("expires_at");
            return new Held(value, row.wasNull() ? null : expiry);
        }
    }

    /** Compares and replaces in a loop, until no other change comes between: concurrent changes of one row are rare. */
    @Override
    public Optional<StoredRow> change(String space, String key, Instant now, UnaryOperator<StoredRow> change) {
        while (true) {
            var held = readers.single(session -> session.queryOne(Held::of, get, space, key, Times.toColumn(now)));
            if (held.isEmpty()) {
                return Optional.empty();
            }
            var changed = change.apply(stored(space, key, held.get(), seal));
            if (replace(held.get(), changed)) {
                return Optional.of(changed);
            }
        }
    }

    private boolean replace(Held held, StoredRow row) {
        var value = seal.seal(row.value().bytes(), place(row.space(), row.key()));
        return writer.write(session -> session.update(
                        REPLACE, value, expiry(row), row.space(), row.key(), held.value(), held.expiresAt()))
                == 1;
    }

    private static @Nullable Long expiry(StoredRow row) {
        return row.expiresAt() == null ? null : Times.toColumn(row.expiresAt());
    }

    @Override
    public Optional<StoredRow> get(String space, String key, Instant now) {
        return readers.single(
                session -> session.queryOne(row -> stored(row, seal), get, space, key, Times.toColumn(now)));
    }

    @Override
    public List<StoredRow> list(String space, @Nullable String after, int limit, Instant now) {
        return after == null
                ? readers.read(session -> list(session, seal, space, limit, now))
                : readers.single(session -> session.query(
                        row -> stored(row, seal), list, space, after, Times.toColumn(now), Math.max(0, limit)));
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
        return writer.write(
                session -> session.update(sweep, Times.toColumn(now), Math.max(0, limit), Times.toColumn(now)));
    }

    private static StoredRow stored(ResultSet row, RowSeal seal) throws SQLException {
        return stored(row.getString(1), row.getString(2), Held.of(row), seal);
    }

    private static StoredRow stored(String space, String key, Held held, RowSeal seal) {
        var value = Payload.of(seal.open(held.value(), place(space, key)));
        return new StoredRow(space, key, value, held.expiresAt() == null ? null : Times.fromColumn(held.expiresAt()));
    }

    private static String place(String space, String key) {
        return "row " + space + ' ' + key;
    }
}
