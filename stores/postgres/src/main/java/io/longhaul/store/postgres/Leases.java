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

    /**
     * By work and lease, which tasks a node may claim: those without a lease, with a void lease, or with an older lease
     * of a node that has joined anew. Such a node takes its tasks up again itself: other nodes leave them to it for a
     * term, and leave begun tasks of bound works to it until the node is lost. A task with more than one event has
     * begun, because the first event is the creation.
     *
     * <p>The first task of the index task_of_lease tells whether there are any. So no tasks are read that a lease
     * holds, or whose works the node does not offer. The orders keep the database from plans that look for the first
     * task elsewhere, and the array from the assumption that there are hundreds of leases. {@code %1$s} is the schema.
     */
    private static final String FREE = """
        WITH mine AS (
            SELECT ?::text AS lease_node, ?::bigint AS lease_epoch, ?::text[] AS works, ?::text[] AS bound,
                ? * interval '1 millisecond' AS term, ? * interval '1 millisecond' AS lost_after),
        left_behind AS (
            SELECT offered, NULL AS node, NULL AS below, true AS is_of_begun
            FROM mine, unnest(works) AS offered
            WHERE (SELECT true FROM %1$stask WHERE stage > 0 AND lease_node IS NULL AND work = offered
                   ORDER BY lease_node, work, lease_epoch LIMIT 1)
            UNION ALL
            SELECT offered, node, below,
                node = mine.lease_node OR offered <> ALL (bound) OR held_since <= clock_timestamp() - lost_after
            FROM mine, unnest(works) AS offered, unnest(ARRAY(SELECT lease FROM %1$slease)) AS l,
                LATERAL (SELECT epoch + (expires_at = '-infinity')::int AS below) AS epochs
            WHERE (SELECT min(lease_epoch) FROM %1$stask
                   WHERE stage > 0 AND lease_node = node AND work = offered) < below
              AND (node = mine.lease_node
                   OR held_since <= clock_timestamp() - CASE expires_at WHEN '-infinity' THEN '0' ELSE term END))
        """;

    /** Each part reads some rows of an index, however many tasks there are. */
    static final String NEWS = FREE + """
        SELECT CASE
            WHEN NOT EXISTS (
                    SELECT FROM mine JOIN %1$slease ON node = lease_node AND epoch = lease_epoch
                    WHERE expires_at > clock_timestamp() AND NOT draining)
                OR (SELECT count(*) FROM %1$slease WHERE expires_at > '-infinity') <> ?
                OR EXISTS (SELECT FROM %1$slease WHERE expires_at > '-infinity' AND expires_at <= clock_timestamp())
                OR EXISTS (SELECT FROM mine JOIN %1$stask USING (lease_node, lease_epoch) WHERE unfenced)
                OR EXISTS (SELECT FROM left_behind)
            THEN 'ANY'
            WHEN EXISTS (
                SELECT FROM mine JOIN %1$slease ON node = lease_node
                WHERE expires_at <= clock_timestamp() + ? * interval '1 millisecond')
            THEN 'RENEWAL' ELSE 'NONE' END
        """;

    /**
     * Claims the oldest free tasks. A row that another node has claimed meanwhile is compared with the row as read
     * before: after waiting for a row, the database does not read other tables again.
     */
    static final String CLAIM = FREE.formatted("") + """
        , free AS (
            SELECT t.* FROM left_behind, LATERAL (
                SELECT * FROM task WHERE stage > 0 AND lease_node IS NULL AND work = offered OFFSET 0) t
            WHERE node IS NULL
            UNION ALL
            SELECT t.* FROM left_behind, LATERAL (
                SELECT * FROM task
                WHERE stage > 0 AND lease_node = node AND work = offered AND lease_epoch < below OFFSET 0) t
            WHERE is_of_begun OR t.last_event = 1),
        turns AS (
            SELECT id, lease_node, lease_epoch, row_number() OVER (PARTITION BY owner, work ORDER BY id) AS turn
            FROM free WHERE EXISTS (SELECT FROM mine WHERE %1$s) AND id <> ALL (?)),
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

    private static final String LIVE_WORKS = "SELECT DISTINCT work FROM task WHERE stage > 0";

    private static final String DRAIN =
            "UPDATE lease SET draining = ? WHERE node = ? AND expires_at > '-infinity' RETURNING node";

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
    News news(SqlSession session, Lease lease, int nodes, Wanted wanted) throws SQLException {
        return session.queryOne(
                        row -> News.valueOf(row.getString(1)),
                        news,
                        lease.node(),
                        lease.epoch(),
                        names(session, wanted.works()),
                        names(session, wanted.bound()),
                        term.toMillis(),
                        wanted.lostAfter().toMillis(),
                        nodes,
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
        var works = wanted == null ? Set.copyOf(session.query(row -> row.getString(1), LIVE_WORKS)) : wanted.works();
        if (works.isEmpty()) {
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
                    names(session, works),
                    names(session, wanted == null ? Set.of() : wanted.bound()),
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
