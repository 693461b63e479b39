// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.postgres.TestDatabase.passing;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import javax.sql.DataSource;

/** Hears what is sent to a database. Thread-safe, where one statement follows the answer to the one before. */
final class StatementRecorder {

    private final DataSource database;
    private final List<Sent> sent = new ArrayList<>();

    StatementRecorder(DataSource database) {
        this.database = database;
    }

    /** The same database, of which all that is sent is heard. */
    DataSource database() {
        return passing(DataSource.class, (method, args) -> {
            var result = method.invoke(database, args);
            return result instanceof Connection connection ? heard(connection) : result;
        });
    }

    /** What was sent since the last time. */
    synchronized List<Sent> take() {
        var taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }

    private synchronized void add(Sent one) {
        sent.add(one);
    }

    private Connection heard(Connection connection) {
        return passing(Connection.class, (method, args) -> {
            var result = method.invoke(connection, args);
            switch (method.getName()) {
                case "commit" -> add(Sent.end(true));
                case "rollback" -> add(Sent.end(false));
                default -> {}
            }
            return switch (result) {
                case PreparedStatement statement -> heard(statement, (String) args[0], connection);
                case Statement statement -> heard(statement);
                case null, default -> result;
            };
        });
    }

    private Statement heard(Statement statement) {
        return passing(Statement.class, (method, args) -> {
            if (method.getName().startsWith("execute") && args != null) {
                add(new Sent((String) args[0], List.of(), List.of()));
            }
            return method.invoke(statement, args);
        });
    }

    private PreparedStatement heard(PreparedStatement statement, String sql, Connection connection) {
        var values = new TreeMap<Integer, String>();
        return passing(PreparedStatement.class, (method, args) -> {
            var name = method.getName();
            if (name.startsWith("set") && args.length == 2) {
                values.put((Integer) args[0], value(args[1]));
            }
            var result = method.invoke(statement, args);
            if (name.equals("executeUpdate")) {
                add(new Sent(sql, List.copyOf(values.values()), Sent.changed((Integer) result)));
            } else if (name.equals("execute")) {
                add(new Sent(sql, List.copyOf(values.values()), List.of()));
            }
            return result instanceof ResultSet rows
                    ? heard(rows, sql, List.copyOf(values.values()), connection.getAutoCommit())
                    : result;
        });
    }

    private static String value(Object value) throws SQLException {
        return switch (value) {
            case null -> "null";
            case String text -> "String '" + text + "'";
            case Array array -> "_" + array.getBaseTypeName() + ' ' + array;
            default -> value.getClass().getSimpleName() + ' ' + Sent.text(value);
        };
    }

    /**
     * What its reader leaves is read behind it, so that the answer is the whole of it.
     *
     * @param isAlone whether the statement is in no transaction, so that its end is that of one of its own
     */
    private ResultSet heard(ResultSet rows, String sql, List<String> values, boolean isAlone) {
        var read = new ArrayList<String>();
        return passing(ResultSet.class, (method, args) -> {
            if (method.getName().equals("close") && !rows.isClosed()) {
                add(new Sent(sql, values, Sent.rows(rows, read)));
                if (isAlone) {
                    add(Sent.end(true));
                }
            }
            var result = method.invoke(rows, args);
            if (method.getName().equals("next") && (Boolean) result) {
                read.add(Sent.row(rows));
            }
            return result;
        });
    }
}
