// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.engine.store.NodeRole;
import io.longhaul.engine.store.SharedTasks.News;
import io.longhaul.engine.store.SharedTasks.Renewal;
import io.longhaul.engine.store.SharedTasks.Standing;
import io.longhaul.engine.store.SharedTasks.Wanted;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Task;
import io.longhaul.store.jdbc.codec.Times;
import io.longhaul.store.jdbc.sql.SqlSession;
import io.longhaul.store.jdbc.sql.TaskRows;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leases of nodes: one row for each node, with the time at which the lease lapses, by the clock of the database.
 * Used by the writer's thread only.
 *
 * <p>A lapsed lease permits no writes. Its node can renew the lease until another node claims tasks: a claim makes all
 * lapsed leases void for good. A node that comes back too late learns that it is fenced, and its later writes find
 * another holder in the row of the task.
 */
final class Leases {

    private static final Logger LOG = LoggerFactory.getLogger(Leases.class);

    /** Whether the lease in two columns with the prefix {@code %1$s} holds at this moment. */
    private static final String VALID = """
        EXISTS (SELECT FROM lease l
                WHERE l.node = %1$s_node AND l.epoch = %1$s_epoch AND l.expires_at > clock_timestamp())\
        """;

    private static final String JOIN = """
        INSERT INTO lease (node, epoch, joined_at, expires_at, role, labels)
        VALUES (?, nextval('lease_epoch'), ?, clock_timestamp() + ? * interval '1 millisecond', ?, ?)
        ON CONFLICT (node) DO UPDATE
        SET epoch = excluded.epoch, joined_at = excluded.joined_at, expires_at = excluded.expires_at,
            role = excluded.role, labels = excluded.labels,
            held_since = clock_timestamp(), draining = lease.draining AND ?
        RETURNING epoch
        """;

    /**
     * Removes old void leases: each process with a new name leaves a row. After a day no write is in progress that a
     * node began before it lost its lease.
     */
    private static final String FORGET = """
        DELETE FROM lease
        WHERE node IN (
            SELECT node FROM lease
            WHERE expires_at = '-infinity' AND held_since < clock_timestamp() - interval '1 day'
              AND NOT EXISTS (SELECT FROM task WHERE stage > 0 AND lease_node = node)
            FOR UPDATE SKIP LOCKED)
        """;

    /** For a void lease, {@code held_since} is the time since when the lease is void. */
    private static final String VOID = "UPDATE lease SET expires_at = '-infinity', held_since = clock_timestamp() ";

    /**
     * Only a node whose own lease has held for a term may make leases void: after a pause of the database all leases
     * have lapsed. The statement skips rows that their own nodes are renewing, because two nodes would wait for each
     * other.
     */
    private static final String VOID_LAPSED = VOID + """
        WHERE node IN (
            SELECT node FROM lease
            WHERE expires_at > '-infinity' AND expires_at <= clock_timestamp() AND EXISTS (
                SELECT FROM lease mine
                WHERE mine.node = ? AND mine.epoch = ? AND mine.expires_at > clock_timestamp()
                AND mine.held_since <= clock_timestamp() - ? * interval '1 millisecond')
            FOR UPDATE SKIP LOCKED)
        """;

    private static final String LEAVE = VOID + "WHERE node = ? AND epoch = ? AND expires_at > '-infinity'";
    private static final String RENEW = """
        UPDATE lease SET expires_at = clock_timestamp() + ? * interval '1 millisecond',
            held_since = CASE WHEN expires_at > clock_timestamp() THEN held_since ELSE clock_timestamp() END
        WHERE node = ? AND epoch = ? AND expires_at > '-infinity'
          AND expires_at <= clock_timestamp() + ? * interval '1 millisecond'
        """;

    private static final String RENEWAL = """
        SELECT CASE WHEN epoch > ? THEN 'REPLACED' WHEN expires_at = '-infinity' THEN 'VOID'
                    WHEN draining THEN 'DRAINING' ELSE 'HELD' END,
            (SELECT count(*) FROM lease WHERE expires_at > '-infinity')
        FROM lease WHERE node = ?
        """;

    /** Each part reads some rows of an index, however many tasks there are. */
    static final String NEWS = """
        SELECT CASE
            WHEN NOT EXISTS (
                    SELECT FROM %1$slease
                    WHERE node = ? AND epoch = ? AND expires_at > clock_timestamp() AND NOT draining)
                OR (SELECT count(*) FROM %1$slease WHERE expires_at > '-infinity') <> ?
                OR EXISTS (SELECT FROM %1$slease WHERE expires_at > '-infinity' AND expires_at <= clock_timestamp())
                OR EXISTS (SELECT FROM %1$stask WHERE unfenced AND lease_node = ? AND lease_epoch = ?)
                OR EXISTS (SELECT FROM %1$stask WHERE stage > 0 AND lease_node IS NULL)
                OR EXISTS (
                    SELECT FROM %1$slease WHERE epoch + (expires_at = '-infinity')::int > (
                        SELECT min(lease_epoch) FROM %1$stask WHERE stage > 0 AND lease_node = node))
            THEN 'ANY'
            WHEN EXISTS (
                SELECT FROM %1$slease WHERE node = ? AND expires_at <= clock_timestamp() + ? * interval '1 millisecond')
            THEN 'RENEWAL' ELSE 'NONE' END
        """;

    private static final String DRAIN =
            "UPDATE lease SET draining = ? WHERE node = ? AND expires_at > '-infinity' RETURNING node";

    /**
     * Claims tasks without a lease, with a void lease, or with an older lease of a node that has joined anew. Such a
     * node takes its tasks up again itself: other nodes leave them to it for a term, and leave begun tasks of bound
     * works to it until the node is lost. A task with more than one event has begun, because the first event is the
     * creation. A row that another node has claimed meanwhile is compared with the row as read before: after waiting
     * for a row, the database does not read other tables again.
     *
     * <p>The oldest epoch in the index task_of_lease tells whether a lease has left tasks behind. OFFSET keeps the
     * database from a plan that reads the tasks of all leases first.
     */
    static final String CLAIM = """
        WITH mine AS (
            SELECT ?::text AS lease_node, ?::bigint AS lease_epoch, ?::text[] AS works, ?::text[] AS bound,
                ? * interval '1 millisecond' AS term, ? * interval '1 millisecond' AS lost_after),
        left_behind AS MATERIALIZED (
            SELECT * FROM (SELECT lease.*, epoch + (expires_at = '-infinity')::int AS below FROM lease) l
            WHERE (SELECT min(lease_epoch) FROM task WHERE stage > 0 AND lease_node = node) < below),
        free AS (
            SELECT id, owner, work, lease_node, lease_epoch FROM task WHERE stage > 0 AND lease_node IS NULL
            UNION ALL
            SELECT t.id, t.owner, t.work, t.lease_node, t.lease_epoch
            FROM mine, left_behind l, LATERAL (
                SELECT * FROM task WHERE stage > 0 AND lease_node = l.node AND lease_epoch < below OFFSET 0) t
            WHERE l.node = mine.lease_node OR l.held_since <= clock_timestamp() - greatest(
                CASE WHEN l.expires_at = '-infinity' THEN '0' ELSE term END,
                CASE WHEN t.last_event > 1 AND t.work = ANY (bound) THEN lost_after ELSE '0' END)),
        turns AS (
            SELECT free.*, row_number() OVER (PARTITION BY owner, work ORDER BY id) AS turn
            FROM free, mine WHERE %1$s AND (works IS NULL OR work = ANY (works)) AND id <> ALL (?)),
        chosen AS (
            SELECT task.id, turn FROM task JOIN turns ON task.id = turns.id
            WHERE stage > 0 AND task.lease_epoch = turns.lease_epoch
                AND task.lease_node IS NOT DISTINCT FROM turns.lease_node
            ORDER BY turn, task.id LIMIT ? FOR UPDATE OF task SKIP LOCKED),
        taken AS (
            UPDATE task SET lease_node = mine.lease_node, lease_epoch = mine.lease_epoch, unfenced = false,
                version = version + 1, updated_at = ?
            FROM mine WHERE id IN (SELECT id FROM chosen)
            RETURNING task.*)
        SELECT %2$s FROM taken JOIN chosen USING (id) ORDER BY turn, id
        """.formatted(valid("mine.lease"), TaskRows.COLUMNS);

    private final TaskRows rows;
    private final Duration term;
    private final String news;
    /** The tasks that this process cannot read, such as those of a newer version. */
    private final Set<String> unreadable = new HashSet<>();

    private @Nullable Lease held;
    /** Written before the node joins. */
    private volatile NodeRole role = NodeRole.ALL;

    /** @param term how long a lease holds without a renewal */
    Leases(TaskRows rows, Duration term, String schema) {
        this.rows = rows;
        this.term = term;
        news = NEWS.formatted('"' + schema + "\".");
    }

    /**
     * An SQL condition: whether the lease in the columns {@code prefix_node} and {@code prefix_epoch} holds at this
     * moment.
     */
    static String valid(String prefix) {
        return VALID.formatted(prefix);
    }

    void role(NodeRole other) {
        role = other;
    }

    /** @param isAnew whether the node joins in place of a lost lease, and stays drained if it was */
    Lease join(SqlSession session, String node, boolean isAnew, Instant now) throws SQLException {
        // model: join
        session.update(FORGET);
        var as = role;
        long epoch = session.queryOne(
                        row -> row.getLong(1),
                        JOIN,
                        node,
                        Times.toColumn(now),
                        term.toMillis(),
                        as.kind().name(),
                        names(session, as.labels()),
                        isAnew)
                .orElseThrow();
        held = new Lease(node, epoch);
        return held;
    }

    void leave(SqlSession session, Lease lease) throws SQLException {
        session.update(LEAVE, lease.node(), lease.epoch());
        Wakes.everybody(session);
        if (lease.equals(held)) {
            held = null;
        }
    }

    /**
     * Renews the lease of this node after a third of its term, by the clock of the database. The clock of this machine
     * stops while the machine sleeps, and a database that takes over may have another clock.
     */
    void renew(SqlSession session) throws SQLException {
        // model: renew
        var lease = held;
        if (lease != null) {
            session.update(RENEW, term.toMillis(), lease.node(), lease.epoch(), left());
        }
    }

    /** A lease with no more milliseconds left is renewed. */
    private long left() {
        return term.multipliedBy(2).dividedBy(3).toMillis();
    }

    /** What a poll would find, by one statement without a transaction. */
    News news(SqlSession session, Lease lease, int nodes) throws SQLException {
        return session.queryOne(
                        row -> News.valueOf(row.getString(1)),
                        news,
                        lease.node(),
                        lease.epoch(),
                        nodes,
                        lease.node(),
                        lease.epoch(),
                        lease.node(),
                        left())
                .orElseThrow();
    }

    /** The standing of a lease of this node. */
    Renewal renewal(SqlSession session, Lease lease) throws SQLException {
        return session.queryOne(
                        row -> new Renewal(Standing.valueOf(row.getString(1)), row.getInt(2)),
                        RENEWAL,
                        lease.epoch(),
                        lease.node())
                .orElse(new Renewal(Standing.VOID, 0));
    }

    static boolean drain(SqlSession session, String node, boolean isDraining) throws SQLException {
        // model: drain
        return session.queryOne(row -> true, DRAIN, isDraining, node).isPresent();
    }

    /**
     * Claims the oldest tasks that no lease holds, except tasks that another node claims at this moment, and tasks that
     * this node cannot read: they are left to a node that can. The lease of this node is renewed first, so that the
     * claim does not make it void.
     *
     * @param wanted null for all tasks
     */
    List<Task> claim(SqlSession session, Lease lease, @Nullable Wanted wanted, int limit, Instant now)
            throws SQLException {
        endLapsed(session, lease);
        if (wanted != null && wanted.works().isEmpty()) {
            return List.of();
        }
        session.script("SAVEPOINT claim");
        while (true) {
            // model: find_free, claim
            var claimed = session.query(
                    TaskRows::row,
                    CLAIM,
                    lease.node(),
                    lease.epoch(),
                    wanted == null ? null : names(session, wanted.works()),
                    wanted == null ? null : names(session, wanted.bound()),
                    term.toMillis(),
                    wanted == null ? 0 : wanted.lostAfter().toMillis(),
                    names(session, unreadable),
                    Math.max(0, limit),
                    Times.toColumn(now));
            var found = new HashMap<String, StoreException>();
            var tasks = rows.decodeReadable(session, claimed, found);
            if (found.isEmpty()) {
                return tasks;
            }
            session.script("ROLLBACK TO SAVEPOINT claim");
            found.forEach(
                    (id, why) -> LOG.error("task {} is left to a server that can read it: {}", id, why.getMessage()));
            unreadable.addAll(found.keySet());
        }
    }

    private static Object names(SqlSession session, Set<String> all) throws SQLException {
        return session.array("text", all.toArray(String[]::new));
    }

    private void endLapsed(SqlSession session, Lease lease) throws SQLException {
        // model: void_lapsed
        renew(session);
        session.update(VOID_LAPSED, lease.node(), lease.epoch(), term.toMillis());
    }
}
