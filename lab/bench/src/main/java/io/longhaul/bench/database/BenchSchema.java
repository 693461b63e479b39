// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.database;

import io.longhaul.bench.store.MadeTasks;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/** A schema of one measurement, which is dropped after it. A store creates the schema when it opens it. */
record BenchSchema(BenchDatabase database, String name) implements AutoCloseable {

    /** Selects the columns to copy: all that the database does not generate, except the two that differ in each row. */
    private static final String COPIED = """
        SELECT string_agg(quote_ident(column_name), ', ') FROM information_schema.columns
        WHERE table_schema = '%s' AND table_name = 'task' AND is_generated = 'NEVER'
          AND column_name NOT IN ('id', 'expires_at')
        """;

    /** Copies tasks, with ids that sort before all ids of a node, as if the tasks were older. */
    private static final String COPY = """
        INSERT INTO task (id, expires_at, %1$s)
        SELECT '0' || lpad(to_hex(%5$s + number), 9, '0') || left(md5(number::text), 26),
            %2$s + number::numeric * %3$s / %4$s, %1$s
        FROM generate_series(1, %4$s) AS number, (SELECT * FROM task LIMIT 1) AS template
        """;

    static final String WORK = "work";

    /** Makes the tasks live ones of another node, whose lease holds. */
    private static final String REVIVE = """
        INSERT INTO lease (node, epoch, joined_at, expires_at)
        VALUES ('other', nextval('lease_epoch'), 0, clock_timestamp() + interval '1 day');
        UPDATE task SET stage = 2, work = '%s', last_event = 3, expires_at = NULL, lease_node = 'other',
            lease_epoch = (SELECT epoch FROM lease WHERE node = 'other')
        """.formatted(WORK);

    private static final String IS_SUPERUSER = "SELECT rolsuper::int FROM pg_roles WHERE rolname = current_user";

    String url() {
        return database.url(name);
    }

    /** Has a store write a finished task, and the database copy the task. */
    void fill(long tasks, Expiry expiry) throws SQLException {
        try (var store = BenchDatabase.store(url())) {
            var lease = store.join("bench", Instant.now());
            var created = MadeTasks.creation(MadeTasks.id(0), lease);
            MadeTasks.commit(store, created);
            MadeTasks.commit(store, MadeTasks.end(created.after(), lease));
            store.leave(lease, Instant.now());
        }
        copy(0, tasks, expiry);
        run("DELETE FROM task WHERE id = '" + MadeTasks.id(0).value() + "'");
        run("VACUUM ANALYZE task");
        writeOut();
    }

    /** As {@link #fill}, with tasks that another node runs. */
    void fillLive(long tasks) throws SQLException {
        fill(tasks, Expiry.within(Instant.now(), Duration.ofDays(1)));
        run(REVIVE);
        run("VACUUM ANALYZE task");
        writeOut();
    }

    /** Writes changed pages to the disk, as a superuser may. Otherwise the database does so while it is measured. */
    private void writeOut() throws SQLException {
        if (number(IS_SUPERUSER) == 1) {
            run("CHECKPOINT");
        }
    }

    /**
     * The expiry of tasks: from a time on, spread over a period.
     *
     * @param spread the period in nanoseconds
     */
    record Expiry(Instant from, long spread) {

        static Expiry within(Instant from, Duration time) {
            return new Expiry(from, time.toNanos());
        }

        long nanos() {
            return Duration.between(Instant.EPOCH, from).toNanos();
        }
    }

    /** Adds copies of a task, after {@code before} copies that were added earlier. */
    void copy(long before, long tasks, Expiry expiry) throws SQLException {
        run(COPY.formatted(text(COPIED.formatted(name)), expiry.nanos(), expiry.spread(), tasks, before));
    }

    void run(String sql) throws SQLException {
        try (var connection = BenchDatabase.connect(url());
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    long number(String sql) throws SQLException {
        return Long.parseLong(text(sql));
    }

    private String text(String sql) throws SQLException {
        try (var connection = BenchDatabase.connect(url());
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Override
    public void close() throws SQLException {
        run("DROP SCHEMA IF EXISTS " + name + " CASCADE");
    }
}
