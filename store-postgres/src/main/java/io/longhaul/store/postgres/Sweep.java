// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.engine.task.TaskId;
import io.longhaul.store.jdbc.sql.SqlSession;
import io.longhaul.store.jdbc.sql.Times;
import java.sql.SQLException;
import java.time.Instant;

/** Removes tasks with all that belongs to them, each time in one statement. */
final class Sweep {

    private static final String REMOVE = """
        WITH gone AS (DELETE FROM task WHERE id %s RETURNING id),
             events AS (DELETE FROM event USING gone WHERE task_id = gone.id),
             parts AS (DELETE FROM part USING gone WHERE task_id = gone.id)
        SELECT count(*) FROM gone
        """;

    /** What another node removes at this moment is left to it. */
    private static final String OVER = REMOVE.formatted("""
        IN (SELECT id FROM task WHERE expires_at IS NOT NULL AND expires_at <= ? AND stage = 0
            ORDER BY expires_at LIMIT ? FOR UPDATE SKIP LOCKED)""");

    private static final String ONE = REMOVE.formatted("= ? AND stage = 0");

    private Sweep() {}

    /** Removes so many tasks whose time is over, and says how many there were. */
    static int expired(SqlSession session, Instant now, int limit) throws SQLException {
        return session.queryOne(row -> row.getInt(1), OVER, Times.toColumn(now), Math.max(0, limit))
                .orElse(0);
    }

    /** Removes a task whose work has ended, and says whether there was one. */
    static boolean one(SqlSession session, TaskId id) throws SQLException {
        return session.queryOne(row -> row.getInt(1), ONE, id.value()).orElse(0) > 0;
    }
}
