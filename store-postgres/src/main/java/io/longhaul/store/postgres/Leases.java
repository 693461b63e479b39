// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Task;
import io.longhaul.store.jdbc.sql.SqlSession;
import io.longhaul.store.jdbc.sql.TaskRows;
import io.longhaul.store.jdbc.sql.Times;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The right of nodes to run tasks: one row for each node, with a time by the clock of the database at which it lapses.
 * Used by the writer's thread only.
 *
 * <p>A lapsed lease writes nothing. Its node can renew it until another node claims tasks: that makes all lapsed
 * leases void for good. A node that comes back too late is told that it is fenced, and whatever it still writes finds
 * another holder in the row of the task.
 */
final class Leases {

    /** Whether the lease in two columns of {@code %1$s} holds at this moment. */
    private static final String VALID = """
        EXISTS (SELECT FROM lease l
                WHERE l.node = %1$s_node AND l.epoch = %1$s_epoch AND l.expires_at > clock_timestamp())""";

    private static final String JOIN = """
        INSERT INTO lease (node, epoch, joined_at, expires_at)
        VALUES (?, nextval('lease_epoch'), ?, clock_timestamp() + ? * interval '1 millisecond')
        ON CONFLICT (node) DO UPDATE
        SET epoch = excluded.epoch, joined_at = excluded.joined_at, expires_at = excluded.expires_at
        RETURNING epoch
        """;
    private static final String VOID_OTHERS = "UPDATE lease SET expires_at = '-infinity' WHERE node <> ?";

    /** A row that its own node is renewing at this moment is left alone: two nodes would wait for each other. */
    private static final String VOID_LAPSED = """
        UPDATE lease SET expires_at = '-infinity'
        WHERE node IN (
            SELECT node FROM lease WHERE expires_at > '-infinity' AND expires_at <= clock_timestamp()
            FOR UPDATE SKIP LOCKED)
        """;

    private static final String LEAVE = "UPDATE lease SET expires_at = '-infinity' WHERE node = ? AND epoch = ?";
    private static final String RENEW = """
        UPDATE lease SET expires_at = clock_timestamp() + ? * interval '1 millisecond'
        WHERE node = ? AND epoch = ? AND expires_at > '-infinity'
          AND expires_at <= clock_timestamp() + ? * interval '1 millisecond'
        """;

    /** Whether the row of a node says that another one has begun: it has a later epoch, or is void for good. */
    private static final String IS_VOID =
            "SELECT FROM lease WHERE node = ? AND (epoch > ? OR epoch = ? AND expires_at = '-infinity')";

    private static final String CLAIM = """
        WITH mine AS (SELECT ?::text AS lease_node, ?::bigint AS lease_epoch), free AS (
            SELECT id FROM task WHERE stage > 0 AND (lease_node IS NULL OR NOT %s) AND (SELECT %s FROM mine)
            ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED)
        UPDATE task SET lease_node = ?, lease_epoch = ?, version = version + 1, updated_at = ?
        WHERE id IN (SELECT id FROM free)
        RETURNING %s
        """.formatted(valid("task.lease"), valid("mine.lease"), TaskRows.COLUMNS);

    private final TaskRows rows;
    private final boolean isShared;
    private final Duration term;
    private @Nullable Lease held;

    /**
     * @param isShared whether other nodes may hold leases beside this one
     * @param term     for how long a lease holds without being renewed
     */
    Leases(TaskRows rows, boolean isShared, Duration term) {
        this.rows = rows;
        this.isShared = isShared;
        this.term = term;
    }

    /**
     * Whether the lease in {@code lease_node} and {@code lease_epoch}, or others of that prefix, holds at this moment.
     */
    static String valid(String prefix) {
        return VALID.formatted(prefix);
    }

    Lease join(SqlSession session, String node, Instant now) throws SQLException {
        if (!isShared) {
            session.update(VOID_OTHERS, node);
        }
        long epoch = session.queryOne(row -> row.getLong(1), JOIN, node, Times.toColumn(now), term.toMillis())
                .orElseThrow();
        held = new Lease(node, epoch);
        return held;
    }

    void leave(SqlSession session, Lease lease) throws SQLException {
        session.update(LEAVE, lease.node(), lease.epoch());
        if (lease.equals(held)) {
            held = null;
        }
    }

    /**
     * Renews the lease of this node where a third of its term is over by the clock of the database: the clock of this
     * machine stands still while the machine sleeps, and a database that takes over may have another one.
     */
    void renew(SqlSession session) throws SQLException {
        var lease = held;
        if (lease != null) {
            long left = term.multipliedBy(2).dividedBy(3).toMillis();
            session.update(RENEW, term.toMillis(), lease.node(), lease.epoch(), left);
        }
    }

    /** Whether another node has made the lease of this one void for good. */
    boolean isVoid(SqlSession session) throws SQLException {
        var lease = held;
        return lease != null
                && session.queryOne(row -> true, IS_VOID, lease.node(), lease.epoch(), lease.epoch())
                        .isPresent();
    }

    /**
     * The oldest tasks that no valid lease holds; what another node claims at this moment is left to it. The
     * own lease is renewed first, lest it be among those that have lapsed.
     */
    List<Task> claim(SqlSession session, Lease lease, int limit, Instant now) throws SQLException {
        renew(session);
        session.update(VOID_LAPSED);
        var claimed = session.query(
                TaskRows::row,
                CLAIM,
                lease.node(),
                lease.epoch(),
                Math.max(0, limit),
                lease.node(),
                lease.epoch(),
                Times.toColumn(now));
        claimed.sort(Comparator.comparing(TaskRows.Row::id));
        return rows.decodeAll(session, claimed);
    }
}
