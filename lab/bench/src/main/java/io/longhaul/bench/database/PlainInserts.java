// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.database;

import io.longhaul.bench.store.ClosedLoop;
import io.longhaul.bench.store.MadeTasks;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The least that durable tasks can cost the database: inserts rows like those of new tasks, many in one statement, into
 * a table with the same indexes, driven by {@link ClosedLoop}.
 */
final class PlainInserts {

    private static final String COLUMNS = """
        SELECT column_name FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = 'task' AND is_generated = 'NEVER'
          AND column_name <> 'id'
        """;

    private static final String TABLE = "CREATE TABLE plain (LIKE task INCLUDING ALL) WITH (fillfactor = 80)";

    private final List<Object> values;
    private final String insert;
    private final int rows;
    private final AtomicLong ids = new AtomicLong(1);
    private final BlockingQueue<PreparedStatement> statements = new LinkedBlockingQueue<>();

    private PlainInserts(List<String> columns, List<Object> values, int rows) {
        this.values = values;
        this.rows = rows;
        var row = "(?" + ", ?".repeat(columns.size()) + ")";
        insert = "INSERT INTO plain (id, " + String.join(", ", columns) + ") VALUES "
                + String.join(", ", Collections.nCopies(rows, row));
    }

    /** @param args the address of the schema, the number of connections, the number of rows in a statement */
    public static void main(String[] args) throws Exception {
        var connections = Integer.parseInt(args[1]);
        try (var store = BenchDatabase.store(args[0])) {
            MadeTasks.commit(store, MadeTasks.creation(MadeTasks.id(0), store.join("bench", Instant.now())));
        }
        PlainInserts inserts;
        try (var connection = BenchDatabase.connect(args[0])) {
            inserts = like(connection, Integer.parseInt(args[2]));
        }
        for (var i = 0; i < connections; i++) {
            var connection = BenchDatabase.connect(args[0]);
            connection.setAutoCommit(false);
            inserts.statements.add(connection.prepareStatement(inserts.insert));
        }
        new ClosedLoop(connections).answer(inserts::insert);
    }

    /** Makes rows like the only task in the schema. */
    private static PlainInserts like(Connection connection, int rows) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(TABLE);
            var columns = new ArrayList<String>();
            try (var found = statement.executeQuery(COLUMNS)) {
                while (found.next()) {
                    columns.add(found.getString(1));
                }
            }
            var values = new ArrayList<Object>();
            try (var found = statement.executeQuery("SELECT " + String.join(", ", columns) + " FROM task")) {
                found.next();
                for (var at = 1; at <= columns.size(); at++) {
                    values.add(found.getObject(at));
                }
            }
            return new PlainInserts(columns, values, rows);
        }
    }

    private void insert() {
        try {
            var statement = statements.take();
            var at = 1;
            for (var row = 0; row < rows; row++) {
                statement.setString(at++, MadeTasks.id(ids.getAndIncrement()).value());
                for (var value : values) {
                    statement.setObject(at++, value);
                }
            }
            statement.executeUpdate();
            statement.getConnection().commit();
            statements.add(statement);
        } catch (SQLException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
