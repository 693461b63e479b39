// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Orders in a SQLite file. */
final class Orders {

    static final int PAGE = 20;
    private static final List<String> CITIES = List.of("Oslo", "Lima", "Cairo", "Perth");

    private final String url;

    private Orders(String url) {
        this.url = url;
    }

    static Orders at(Path file) {
        return new Orders("jdbc:sqlite:" + file);
    }

    /** Fills the file with orders, where there are none yet. */
    void fill(int orders) throws SQLException {
        try (Connection database = DriverManager.getConnection(url);
                var statement = database.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, city TEXT, cents INTEGER)");
            database.setAutoCommit(false);
            try (var insert = database.prepareStatement("INSERT OR IGNORE INTO orders VALUES (?, ?, ?)")) {
                for (int id = 1; id <= orders; id++) {
                    insert.setInt(1, id);
                    insert.setString(2, CITIES.get(id % CITIES.size()));
                    insert.setInt(3, id * 7_919 % 10_000);
                    insert.execute();
                }
            }
            database.commit();
        }
    }

    /**
     * The orders of one page, counted from 0, a line each; none after the last page. The database counts for each order
     * how many of its city are dearer.
     */
    List<String> page(String city, int page) throws SQLException {
        String sql = """
                SELECT id, cents,
                    (SELECT count(*) FROM orders other WHERE other.city = one.city AND other.cents > one.cents)
                FROM orders one WHERE city = ? ORDER BY id LIMIT ? OFFSET ?
                """;
        try (Connection database = DriverManager.getConnection(url);
                var select = database.prepareStatement(sql)) {
            select.setString(1, city);
            select.setInt(2, PAGE);
            select.setInt(3, page * PAGE);
            List<String> lines = new ArrayList<>();
            try (var rows = select.executeQuery()) {
                while (rows.next()) {
                    lines.add("order " + rows.getInt(1) + ": " + rows.getInt(2) + " cents, " + rows.getInt(3)
                            + " are dearer");
                }
            }
            return lines;
        }
    }

    int count(String city) throws SQLException {
        try (Connection database = DriverManager.getConnection(url);
                var select = database.prepareStatement("SELECT count(*) FROM orders WHERE city = ?")) {
            select.setString(1, city);
            try (var rows = select.executeQuery()) {
                return rows.getInt(1);
            }
        }
    }
}
