package io.longhaul.store.jdbc;

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
import org.sqlite.SQLiteConnection;

/** One connection with its prepared statements. Used by one thread at a time. */
final class DatabaseSession implements AutoCloseable {

    /** Reads one row. */
    @FunctionalInterface
    interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Runs a statement. */
    @FunctionalInterface
    private interface Use<T> {
        T of(PreparedStatement statement) throws SQLException;
    }

    private static final Object[] NO_VALUES = {};

    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    DatabaseSession(Connection connection) {
        this.connection = connection;
    }

    /** Runs a statement that changes rows, and gives how many. */
    int update(String sql, @Nullable Object... values) throws SQLException {
        return withStatement(sql, values, PreparedStatement::executeUpdate);
    }

    /** Runs a statement that gives rows, all of which are read before this returns. */
    <T> List<T> query(RowReader<T> reader, String sql, @Nullable Object... values) throws SQLException {
        return queryWhile(row -> true, reader, sql, values);
    }

    /** Like {@link #query}, but reads no row behind the first one that {@code more} refuses, which is given too. */
    <T> List<T> queryWhile(Predicate<T> more, RowReader<T> reader, String sql, @Nullable Object... values)
            throws SQLException {
        return withStatement(sql, values, statement -> {
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
        });
    }

    <T> Optional<T> queryOne(RowReader<T> reader, String sql, @Nullable Object... values) throws SQLException {
        return withStatement(sql, values, statement -> {
            try (var rows = statement.executeQuery()) {
                return rows.next() ? Optional.of(reader.read(rows)) : Optional.empty();
            }
        });
    }

    /** Runs statements that have no parameters, separated by semicolons. */
    void script(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    void begin(String kind) throws SQLException {
        withStatement("BEGIN " + kind, NO_VALUES, PreparedStatement::execute);
    }

    void commit() throws SQLException {
        withStatement("COMMIT", NO_VALUES, PreparedStatement::execute);
    }

    void rollback() throws SQLException {
        withStatement("ROLLBACK", NO_VALUES, PreparedStatement::execute);
    }

    /** How many rows were written since this was opened; those of a transaction that was rolled back count too. */
    long changes() throws SQLException {
        return connection.unwrap(SQLiteConnection.class).getDatabase().total_changes();
    }

    /** Breaks off what another thread does with this session; nothing happens where it does nothing. */
    void interrupt() {
        try {
            connection.unwrap(SQLiteConnection.class).getDatabase().interrupt();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
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
            // The driver throws a statement away that has failed.
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
            default -> throw new IllegalArgumentException("no column holds a " + value.getClass());
        }
    }
}
