// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One connection with its prepared statements. Used by one thread at a time. */
public abstract class SqlSession implements AutoCloseable {

    /** Reads one row. */
    @FunctionalInterface
    public interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Runs a statement. */
    @FunctionalInterface
    private interface Use<T> {
        T of(PreparedStatement statement) throws SQLException;
    }

    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    protected SqlSession(Connection connection) {
        this.connection = connection;
    }

    /** Runs a statement that changes rows, and gives their number. */
    public final int update(String sql, @Nullable Object... values) throws SQLException {
        return withStatement(sql, values, PreparedStatement::executeUpdate);
    }

    /** Runs a query, and reads all rows before it returns. */
    public final <T> List<T> query(RowReader<T> reader, String sql, @Nullable Object... values) throws SQLException {
        return withStatement(sql, values, statement -> read(statement, row -> true, reader));
    }

    /** Like {@link #query}, but stops after the first row that {@code more} refuses; that row is included. */
    public final <T> List<T> queryWhile(Predicate<T> more, RowReader<T> reader, String sql, @Nullable Object... values)
            throws SQLException {
        return withStatement(sql, values, statement -> {
            readPiecemeal(statement);
            return read(statement, more, reader);
        });
    }

    private static <T> List<T> read(PreparedStatement statement, Predicate<T> more, RowReader<T> reader)
            throws SQLException {
        try (var rows = statement.executeQuery()) {
            var read = new ArrayList<T>();
            while (rows.next()) {
                read.add(reader.read(rows));
                if (!more.test(read.getLast())) {
                    break;
                }
            }
            return read;
        }
    }

    /** The first row of a query. */
    public final <T> Optional<T> queryOne(RowReader<T> reader, String sql, @Nullable Object... values)
            throws SQLException {
        return withStatement(sql, values, statement -> read(statement, row -> false, reader)).stream()
                .findFirst();
    }

    /** Runs statements that have no parameters, separated by semicolons. */
    public final void script(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    /** An SQL array, for a database with arrays of that type. */
    public final Array array(String type, @Nullable Object[] values) throws SQLException {
        return connection.createArrayOf(type, values);
    }

    /** Begins a transaction. */
    public abstract void begin() throws SQLException;

    /** Commits the transaction; its writes are durable then. */
    public abstract void commit() throws SQLException;

    /** Rolls the transaction back. */
    public abstract void rollback() throws SQLException;

    /** Called before a query that may stop before its last row. */
    protected void readPiecemeal(PreparedStatement statement) throws SQLException {}

    /** The connection itself, for functions of its driver. */
    protected final Connection connection() {
        return connection;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private <T> T withStatement(String sql, @Nullable Object[] values, Use<T> use) throws SQLException {
        try {
            var statement = prepared.get(sql);
            if (statement == null) {
                statement = connection.prepareStatement(sql);
                prepared.put(sql, statement);
            }
            for (var i = 0; i < values.length; i++) {
                bind(statement, i + 1, values[i]);
            }
            return use.of(statement);
        } catch (SQLException e) {
            // The driver discards a statement that has failed.
            prepared.remove(sql);
            throw e;
        }
    }

    private static void bind(PreparedStatement statement, int at, @Nullable Object value) throws SQLException {
        switch (value) {
            case null -> statement.setObject(at, null);
            case Long number -> statement.setLong(at, number);
            case Integer number -> statement.setInt(at, number);
            case String text -> statement.setString(at, text);
            case byte[] block -> statement.setBytes(at, block);
            case Boolean flag -> statement.setBoolean(at, flag);
            case Array array -> statement.setArray(at, array);
            default -> throw new IllegalArgumentException("no column holds a " + value.getClass());
        }
    }
}
