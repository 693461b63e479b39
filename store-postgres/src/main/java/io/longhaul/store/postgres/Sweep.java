// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.engine.task.TaskId;
import io.longhaul.store.jdbc.sql.SqlSession;
import io.longhaul.store.jdbc.sql.Times;
import java.sql.SQLException;
import java.time.Instant;

/**
 * Removes tasks with all that belongs to them, each time in one statement. Used by the writer's thread only.
 *
 * <p>One call after the other goes on where the last one has ended. From the beginning, each would read all that those
 * before it have removed: as long as a backup runs, the database keeps that in the index.
 */
final class Sweep {

    private static final String REMOVE = """
        WITH gone AS (DELETE FROM task WHERE id %s RETURNING id, expires_at),
             events AS (DELETE FROM event USING gone WHERE task_id = gone.id),
             parts AS (DELETE FROM part USING gone WHERE task_id = gone.id)
        SELECT count(*), max(expires_at) FROM gone
        """;

    /** What another node removes at this moment is left to it. */
    private static final String OVER = REMOVE.formatted("""
        IN (SELECT id FROM task WHERE expires_at >= ? AND expires_at <= ? AND stage = 0
            ORDER BY expires_at LIMIT ? FOR UPDATE SKIP LOCKED)""");

    private static final String ONE = REMOVE.formatted("= ? AND stage = 0");

    private static final long BEGINNING = Long.MIN_VALUE;

    private long reached = BEGINNING;

    /** How many are gone, and when the last one of them was over. */
    private record Gone(int count, long last) {}

    /**
     * Removes so many tasks whose time is over, and says how many there were. Where there are fewer, the next call
     * begins anew: what was left to another node may still be there.
     */
    int expired(SqlSession session, Instant now, int limit) throws SQLException {
        var gone = session.queryOne(
                        row -> new Gone(row.getInt(1), row.getLong(2)),
                        OVER,
                        reached,
                        Times.toColumn(now),
                        Math.max(0, limit))
                .orElseThrow();
        reached = gone.count() > 0 && gone.count() == limit ? gone.last() : BEGINNING;
        return gone.count();
    }

    /** Removes a task whose work has ended, and says whether there was one. */
    static boolean one(SqlSession session, TaskId id) throws SQLException {
        return session.queryOne(row -> row.getInt(1), ONE, id.value()).orElse(0) > 0;
    }
}
