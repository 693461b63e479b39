// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.engine.store.WrittenOutput;
import io.longhaul.engine.task.TaskId;
import io.longhaul.store.jdbc.codec.Times;
import io.longhaul.store.jdbc.sql.SqlSession;
import java.sql.SQLException;
import java.time.Instant;

/**
 * Removes tasks with their events, parts and written output, in one statement each time. Used by the writer's thread
 * only.
 *
 * <p>Each call continues where the last call has ended. A call from the beginning would read the removed rows of all
 * calls before: the database keeps these rows in the index as long as a backup runs.
 */
final class Sweep {

    private static final String REMOVE = """
        WITH gone AS (DELETE FROM task WHERE id %s RETURNING id, expires_at),
             events AS (DELETE FROM event USING gone WHERE task_id = gone.id),
             parts AS (DELETE FROM part USING gone WHERE task_id = gone.id),
             output AS (DELETE FROM handle USING gone WHERE space = '""" + WrittenOutput.SPACES + """
        ' || gone.id)
        SELECT count(*), max(expires_at) FROM gone
        """;

    /** Skips tasks that another node removes at this moment. */
    private static final String OVER = REMOVE.formatted("""
        IN (SELECT id FROM task WHERE expires_at >= ? AND expires_at <= ? AND stage = 0
            ORDER BY expires_at LIMIT ? FOR UPDATE SKIP LOCKED)""");

    private static final String ONE = REMOVE.formatted("= ? AND stage = 0");

    private static final long BEGINNING = Long.MIN_VALUE;

    private long reached = BEGINNING;

    /** The number of removed tasks, and the latest of their expiry times. */
    private record Gone(int count, long last) {}

    /**
     * Removes up to {@code limit} expired tasks, and gives their number. After a call with fewer tasks the next call
     * begins anew, because tasks that were left to another node may still exist.
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

    /** Removes a task whose work has ended; false where there is none. */
    static boolean one(SqlSession session, TaskId id) throws SQLException {
        return session.queryOne(row -> row.getInt(1), ONE, id.value()).orElse(0) > 0;
    }
}
