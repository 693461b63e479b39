// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.WrittenOutput;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.store.jdbc.codec.Times;
import io.longhaul.store.jdbc.sql.ChangeRows;
import io.longhaul.store.jdbc.sql.ChangeRows.Indexed;
import io.longhaul.store.jdbc.sql.SqlSession;
import io.longhaul.store.jdbc.sql.TaskRows;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes tasks. Used by the writer's thread only. */
final class SqliteTaskWrites {
    private static final String JOIN = """
        INSERT INTO lease (node, epoch, joined_at) VALUES (?, ?, ?) ON CONFLICT (node) DO UPDATE
        SET epoch = excluded.epoch, joined_at = excluded.joined_at, left_at = NULL
        """;
    private static final String NEXT_EPOCH = "SELECT coalesce(max(epoch), 0) + 1 FROM lease";
    private static final String LEAVE = "UPDATE lease SET left_at = ? WHERE node = ? AND epoch = ? AND left_at IS NULL";
    private static final String VALID_LEASE =
            "SELECT node, epoch, left_at IS NULL FROM lease ORDER BY epoch DESC LIMIT 1";

    static final String TO_CLAIM =
            "SELECT id FROM task WHERE stage > 0 AND lease_epoch < ? ORDER BY lease_epoch, id LIMIT ?";

    private static final String CLAIM = """
        UPDATE task SET lease_node = ?, lease_epoch = ?, version = version + 1, updated_at = ?
        WHERE id IN (%s)
        RETURNING %s
        """.formatted(TO_CLAIM, TaskRows.COLUMNS);
    private static final String OF_KEY = "SELECT id FROM task WHERE owner = ? AND creation_key = ?";
    private static final String EXISTS = "SELECT 1 FROM task WHERE id = ?";
    private static final String INSERT = """
        INSERT INTO task (id, owner, creation_key, stage, lease_node, lease_epoch, expires_at,
                          version, last_event, updated_at, spec, body, route)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
        """;
    private static final String UPDATE =
            "UPDATE task SET version = ?, last_event = ?, updated_at = ?, body = ? WHERE id = ? AND version = ?";
    private static final String UPDATE_ALL = """
        UPDATE task SET version = ?, last_event = ?, updated_at = ?, body = ?,
                        stage = ?, lease_node = ?, lease_epoch = ?, expires_at = ?
        WHERE id = ? AND version = ?
        """;
    private static final String INSERT_EVENT = "INSERT INTO event (task_id, seq, body) VALUES (?, ?, ?)";
    private static final String PUT_PART = "INSERT OR REPLACE INTO part (task_id, name, body) VALUES (?, ?, ?)";
    private static final String DELETE = "DELETE FROM task WHERE id = ? AND stage = 0";
    private static final String OVER =
            "SELECT id FROM task WHERE expires_at IS NOT NULL AND expires_at <= ? ORDER BY expires_at LIMIT ?";

    private record Joined(Lease lease, Instant at) {}

    private final TaskRows rows;
    private @Nullable Optional<Lease> validLease;
    private volatile @Nullable Joined owed;

    SqliteTaskWrites(TaskRows rows) {
        this.rows = rows;
    }

    TaskRows rows() {
        return rows;
    }

    /** Clears the cached lease after a rollback, because the cached value may be wrong. */
    void forget() {
        validLease = null;
    }

    Lease join(SqlSession session, String node, Instant now) throws SQLException {
        owed = null;
        var lease = nextLease(session, node);
        store(session, new Joined(lease, now));
        forget();
        return lease;
    }

    /** The lease that {@code node} gets when it joins. */
    static Lease nextLease(SqlSession session, String node) throws SQLException {
        return new Lease(
                node, session.queryOne(row -> row.getLong(1), NEXT_EPOCH).orElseThrow());
    }

    /**
     * Stores a lease that already holds with the first write that finds room on the disk. Any thread may call this
     * method.
     */
    void owe(Lease lease, Instant now) {
        owed = new Joined(lease, now);
    }

    private static void store(SqlSession session, Joined joined) throws SQLException {
        session.update(JOIN, joined.lease().node(), joined.lease().epoch(), Times.toColumn(joined.at()));
    }

    void leave(SqlSession session, Lease lease, Instant now) throws SQLException {
        owed = null;
        session.update(LEAVE, Times.toColumn(now), lease.node(), lease.epoch());
        forget();
    }

    List<Task> claim(SqlSession session, Lease lease, int limit, Instant now) throws SQLException {
        if (!isValid(session, lease) || limit <= 0) {
            return List.of();
        }
        var claimed = session.query(
                TaskRows::row, CLAIM, lease.node(), lease.epoch(), Times.toColumn(now), lease.epoch(), limit);
        return rows.decodeAll(session, claimed);
    }

    CommitResult commit(SqlSession session, ChangeRows rows) throws SQLException {
        // Stores an owed lease first: the next start would not take over a task whose lease is not stored.
        validLease(session);
        var before = rows.change().before();
        return before == null ? create(session, rows) : replace(session, before, rows);
    }

    int sweep(SqlSession session, Instant now, int limit) throws SQLException {
        var over = session.query(row -> row.getString(1), OVER, Times.toColumn(now), Math.max(0, limit));
        for (var id : over) {
            session.update(DELETE, id);
            removeRest(session, new TaskId(id));
        }
        return over.size();
    }

    boolean remove(SqlSession session, TaskId id) throws SQLException {
        if (session.update(DELETE, id.value()) == 0) {
            return false;
        }
        removeRest(session, id);
        return true;
    }

    private static void removeRest(SqlSession session, TaskId id) throws SQLException {
        session.update("DELETE FROM event WHERE task_id = ?", id.value());
        session.update("DELETE FROM part WHERE task_id = ?", id.value());
        session.update("DELETE FROM handle WHERE space = ?", WrittenOutput.space(id));
    }

    private CommitResult create(SqlSession session, ChangeRows rows) throws SQLException {
        var task = rows.change().after();
        var owner = task.owner().value();
        if (rows.key() != null) {
            var existing = session.queryOne(row -> row.getString(1), OF_KEY, owner, rows.key());
            if (existing.isPresent()) {
                return new CommitResult.KeyTaken(new TaskId(existing.get()));
            }
        }
        if (!mayWrite(session, rows.change(), null)) {
            return new CommitResult.Fenced();
        }
        var indexed = rows.indexed();
        var inserted = session.update(
                INSERT,
                rows.id(),
                owner,
                rows.key(),
                indexed.stage(),
                indexed.node(),
                indexed.epoch(),
                indexed.expiresAt(),
                task.position().version(),
                task.position().lastEvent(),
                Times.toColumn(task.position().updatedAt()),
                rows.spec(),
                rows.body(),
                rows.route());
        return inserted == 0 ? new CommitResult.Stale() : withEventsAndParts(session, rows);
    }

    private CommitResult replace(SqlSession session, Task before, ChangeRows rows) throws SQLException {
        if (!mayWrite(session, rows.change(), before.execution().lease())) {
            return exists(session, before.id()) ? new CommitResult.Fenced() : new CommitResult.Missing();
        }
        if (update(session, before, rows) == 0) {
            return exists(session, before.id()) ? new CommitResult.Stale() : new CommitResult.Missing();
        }
        return withEventsAndParts(session, rows);
    }

    private static int update(SqlSession session, Task before, ChangeRows rows) throws SQLException {
        var position = rows.change().after().position();
        var updatedAt = Times.toColumn(position.updatedAt());
        var expected = before.position().version();
        var indexed = rows.indexed();
        if (indexed.equals(Indexed.of(before))) {
            return session.update(
                    UPDATE, position.version(), position.lastEvent(), updatedAt, rows.body(), rows.id(), expected);
        }
        return session.update(
                UPDATE_ALL,
                position.version(),
                position.lastEvent(),
                updatedAt,
                rows.body(),
                indexed.stage(),
                indexed.node(),
                indexed.epoch(),
                indexed.expiresAt(),
                rows.id(),
                expected);
    }

    private static CommitResult withEventsAndParts(SqlSession session, ChangeRows rows) throws SQLException {
        for (var event : rows.events()) {
            session.update(INSERT_EVENT, rows.id(), event.seq(), event.body());
        }
        for (var part : rows.parts()) {
            session.update(PUT_PART, rows.id(), part.name(), part.body());
        }
        return new CommitResult.Committed();
    }

    /**
     * The fence must be valid, and must be the task's lease, or become the lease of a task that no valid lease holds.
     */
    private boolean mayWrite(SqlSession session, Change change, @Nullable Lease held) throws SQLException {
        var fence = change.fence();
        if (fence == null) {
            return true;
        }
        if (!isValid(session, fence)) {
            return false;
        }
        return fence.equals(held)
                || fence.equals(change.after().execution().lease()) && (held == null || !isValid(session, held));
    }

    private boolean isValid(SqlSession session, Lease lease) throws SQLException {
        return Objects.equals(validLease(session).orElse(null), lease);
    }

    private Optional<Lease> validLease(SqlSession session) throws SQLException {
        var known = validLease;
        if (known == null) {
            var joined = owed;
            if (joined != null) {
                store(session, joined);
            }
            var newest = session.queryOne(
                    row -> row.getBoolean(3)
                            ? Optional.of(new Lease(row.getString(1), row.getLong(2)))
                            : Optional.<Lease>empty(),
                    VALID_LEASE);
            known = newest.orElse(Optional.empty());
            validLease = known;
        }
        return known;
    }

    private static boolean exists(SqlSession session, TaskId id) throws SQLException {
        return session.queryOne(row -> true, EXISTS, id.value()).isPresent();
    }
}
