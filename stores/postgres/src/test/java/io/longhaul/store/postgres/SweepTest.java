// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.end;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.result;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.testkit.NeedsPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the removal of expired tasks costs the database. */
@NeedsPostgres
final class SweepTest {

    private static final int BATCH = 100;
    private static final int TASKS = 1_000;

    private final SchemaName schema = new SchemaName(TestDatabase.newSchema());
    private final Sweep sweep = new Sweep();

    /** Copies of one finished task, each of which expires a second behind the one before. */
    @BeforeEach
    void fill() throws SQLException {
        try (var store = TestDatabase.store(schema.name())) {
            store.commit(creation(task(0)));
            store.commit(end(task(0), result("done"), NOW, true));
        }
        TestDatabase.run("""
            INSERT INTO %1$s.task
                (id, owner, work, stage, lease_epoch, expires_at, version, last_event, updated_at, spec, body)
            SELECT lpad(n::text, 36, '0'), owner, work, stage, lease_epoch, expires_at + n * 1000000000::bigint,
                version, last_event, updated_at, spec, body
            FROM %1$s.task, generate_series(1, %2$d) AS n
            """.formatted(schema.name(), TASKS - 1));
        TestDatabase.run("VACUUM ANALYZE " + schema.name() + ".task");
    }

    private record Swept(int removed, long entriesRead) {}

    /** In one transaction, with how many entries of the index it has read. */
    private Swept sweep(Duration sinceNow) throws SQLException {
        try (var session = PooledSessions.writing(TestDatabase.direct(), schema).take()) {
            session.begin();
            int removed = sweep.expired(session, NOW.plus(sinceNow), BATCH);
            long read = session.queryOne(
                            row -> row.getLong(1), "SELECT pg_stat_get_xact_tuples_returned('task_expiry'::regclass)")
                    .orElseThrow();
            session.commit();
            return new Swept(removed, read);
        }
    }

    @Test
    void what_was_removed_is_not_read_again_while_a_backup_still_sees_it() throws SQLException {
        try (var backup = TestDatabase.direct().getConnection();
                var statement = backup.createStatement()) {
            backup.setAutoCommit(false);
            statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            statement.execute("SELECT count(*) FROM " + schema.name() + ".task");
            for (var batch = 0; batch < TASKS / BATCH; batch++) {
                var swept = sweep(Duration.ofDays(2));
                assertThat(swept.removed()).isEqualTo(BATCH);
                assertThat(swept.entriesRead()).as("in batch %d", batch).isBetween((long) BATCH, BATCH + 1L);
            }
        }
        assertThat(sweep(Duration.ofDays(2)).removed()).isZero();
    }

    @Test
    void a_sweep_behind_one_that_came_to_the_end_finds_what_the_other_one_had_to_leave() throws SQLException {
        var all = TASKS / BATCH;
        try (var other = TestDatabase.direct().getConnection();
                var statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SELECT 1 FROM " + schema.name() + ".task WHERE id = '" + id(0).value() + "' FOR UPDATE");
            for (var batch = 0; batch < all; batch++) {
                sweep(Duration.ofDays(2));
            }
        }
        assertThat(List.of(
                        sweep(Duration.ofDays(2)).removed(),
                        sweep(Duration.ofDays(2)).removed()))
                .containsExactly(1, 0);
    }
}
