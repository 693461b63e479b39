// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.postgresql.util.PGobject;

/**
 * A statement as a node has sent it to the database, and what the database has answered. As text it is a paragraph: the
 * statement, each value behind {@code <}, each row of the answer behind {@code >}, and how many there were behind
 * {@code =}.
 *
 * @param values each as its type, a space, and what it is; {@code null} for none
 * @param answer empty where the statement has none
 */
record Sent(String sql, List<String> values, List<String> answer) {

    private static final String COMMIT = "COMMIT";
    private static final String ROLLBACK = "ROLLBACK";

    Sent {
        sql = sql.strip();
        values = List.copyOf(values);
        answer = List.copyOf(answer);
    }

    /** The end of a transaction, which the driver is told by a method. */
    static Sent end(boolean isCommitted) {
        return new Sent(isCommitted ? COMMIT : ROLLBACK, List.of(), List.of());
    }

    static List<String> changed(int rows) {
        return List.of("= changed " + rows);
    }

    /** What of a query comes, and came before. */
    static List<String> rows(ResultSet rows, List<String> before) throws SQLException {
        var all = new ArrayList<>(before);
        while (rows.next()) {
            all.add(row(rows));
        }
        all.add("= rows " + all.size());
        return all;
    }

    /** The row under the cursor. */
    static String row(ResultSet rows) throws SQLException {
        var columns = new ArrayList<String>();
        for (var column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
            columns.add(text(rows.getObject(column)));
        }
        return "> " + String.join(" | ", columns);
    }

    static String text(Object value) {
        return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : String.valueOf(value);
    }

    /** Whether something is the same answer: where no order was wanted, there is none. */
    boolean isAnswer(List<String> other) {
        return sql.contains("ORDER BY")
                ? answer.equals(other)
                : answer.stream()
                        .sorted()
                        .toList()
                        .equals(other.stream().sorted().toList());
    }

    /** Sends it again, and gives what is answered now. */
    List<String> send(Connection connection) throws SQLException {
        if (sql.equals(COMMIT)) {
            connection.commit();
            return List.of();
        }
        if (sql.equals(ROLLBACK)) {
            connection.rollback();
            return List.of();
        }
        if (answer.isEmpty()) {
            try (var statement = connection.createStatement()) {
                statement.execute(sql);
            }
            return List.of();
        }
        try (var statement = connection.prepareStatement(sql)) {
            for (var at = 0; at < values.size(); at++) {
                bind(statement, at + 1, values.get(at));
            }
            if (answer.getLast().startsWith("= changed")) {
                return changed(statement.executeUpdate());
            }
            try (var rows = statement.executeQuery()) {
                return rows(rows, List.of());
            }
        }
    }

    private static void bind(PreparedStatement statement, int at, String value) throws SQLException {
        var type = value.split(" ", 2)[0];
        var text = value.substring(Math.min(value.length(), type.length() + 1));
        switch (type) {
            case "null" -> statement.setNull(at, Types.NULL);
            case "Long" -> statement.setLong(at, Long.parseLong(text));
            case "Integer" -> statement.setInt(at, Integer.parseInt(text));
            case "Boolean" -> statement.setBoolean(at, Boolean.parseBoolean(text));
            case "byte[]" -> statement.setBytes(at, HexFormat.of().parseHex(text));
            case "String" -> statement.setString(at, text.substring(1, text.length() - 1));
            default -> {
                var array = new PGobject();
                array.setType(type);
                array.setValue(text);
                statement.setObject(at, array);
            }
        }
    }

    void write(Appendable out) throws IOException {
        out.append(sql).append('\n');
        for (var value : values) {
            out.append("< ").append(value).append('\n');
        }
        for (var line : answer) {
            out.append(line).append('\n');
        }
        out.append('\n');
    }

    static Sent read(String paragraph) {
        var lines = paragraph.lines().toList();
        var sql = lines.stream().takeWhile(line -> !line.matches("[<>=] .*")).collect(Collectors.joining("\n"));
        return new Sent(
                sql,
                lines.stream()
                        .filter(line -> line.startsWith("< "))
                        .map(line -> line.substring(2))
                        .toList(),
                lines.stream().filter(line -> line.matches("[>=] .*")).toList());
    }
}
