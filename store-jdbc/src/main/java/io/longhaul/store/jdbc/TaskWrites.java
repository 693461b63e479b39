package io.longhaul.store.jdbc;

import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.task.Ending;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes tasks. Used by the writer's thread only. */
final class TaskWrites {
    private static final String JOIN = """
        INSERT INTO lease (node, epoch, joined_at) VALUES (?, ?, ?) ON CONFLICT (node) DO UPDATE
        SET epoch = excluded.epoch, joined_at = excluded.joined_at, left_at = NULL
        """;
    private static final String NEXT_EPOCH = "SELECT coalesce(max(epoch), 0) + 1 FROM lease";
    private static final String LEAVE = "UPDATE lease SET left_at = ? WHERE node = ? AND epoch = ? AND left_at IS NULL";
    private static final String VALID_LEASE =
            "SELECT node, epoch, left_at IS NULL FROM lease ORDER BY epoch DESC LIMIT 1";
    private static final String CLAIM = """
        UPDATE task SET lease_node = ?, lease_epoch = ?, version = version + 1, updated_at = ?
        WHERE id IN (SELECT id FROM task WHERE stage > 0 AND lease_epoch < ? ORDER BY lease_epoch, id LIMIT ?)
        RETURNING %s
        """.formatted(TaskRows.COLUMNS);
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

    /** What of a task is in indexes: a write that leaves it alone need not touch them. */
    private record Indexed(
            int stage, @Nullable Lease lease, @Nullable Long expiresAt) {
        static Indexed of(Task task) {
            return new Indexed(stageOf(task.ending()), task.tenure().lease(), expiryOf(task));
        }

        @Nullable
        String node() {
            return lease == null ? null : lease.node();
        }

        long epoch() {
            return lease == null ? 0 : lease.epoch();
        }
    }

    private record Joined(Lease lease, Instant at) {}

    private final TaskRows rows;
    private @Nullable Optional<Lease> validLease;
    private volatile @Nullable Joined owed;

    TaskWrites(TaskRows rows) {
        this.rows = rows;
    }

    TaskRows rows() {
        return rows;
    }

    /** The transaction was undone: what was remembered may not be so. */
    void forget() {
        validLease = null;
    }

    Lease join(DatabaseSession session, String node, Instant now) throws SQLException {
        owed = null;
        var lease = nextLease(session, node);
        store(session, new Joined(lease, now));
        forget();
        return lease;
    }

    /** The lease that {@code node} gets when it joins. */
    static Lease nextLease(DatabaseSession session, String node) throws SQLException {
        return new Lease(
                node, session.queryOne(row -> row.getLong(1), NEXT_EPOCH).orElseThrow());
    }

    /** Stores a lease that is held already with the first write that there is room for. Any thread may call it. */
    void owe(Lease lease, Instant now) {
        owed = new Joined(lease, now);
    }

    private static void store(DatabaseSession session, Joined joined) throws SQLException {
        session.update(JOIN, joined.lease().node(), joined.lease().epoch(), Times.toColumn(joined.at()));
    }

    void leave(DatabaseSession session, Lease lease, Instant now) throws SQLException {
        owed = null;
        session.update(LEAVE, Times.toColumn(now), lease.node(), lease.epoch());
        forget();
    }

    List<Task> claim(DatabaseSession session, Lease lease, int limit, Instant now) throws SQLException {
        if (!isValid(session, lease) || limit <= 0) {
            return List.of();
        }
        var claimed = session.query(
                TaskRows::row, CLAIM, lease.node(), lease.epoch(), Times.toColumn(now), lease.epoch(), limit);
        return rows.decodeAll(session, claimed);
    }

    CommitResult commit(DatabaseSession session, Change change) throws SQLException {
        // No task may carry a lease that is not stored: the next start would not take the task over.
        validLease(session);
        var before = change.before();
        return before == null ? create(session, change) : replace(session, before, change);
    }

    int sweep(DatabaseSession session, Instant now, int limit) throws SQLException {
        var over = session.query(row -> row.getString(1), OVER, Times.toColumn(now), Math.max(0, limit));
        for (var id : over) {
            session.update(DELETE, id);
            removeRest(session, id);
        }
        return over.size();
    }

    boolean remove(DatabaseSession session, TaskId id) throws SQLException {
        if (session.update(DELETE, id.value()) == 0) {
            return false;
        }
        removeRest(session, id.value());
        return true;
    }

    private static void removeRest(DatabaseSession session, String id) throws SQLException {
        session.update("DELETE FROM event WHERE task_id = ?", id);
        session.update("DELETE FROM part WHERE task_id = ?", id);
    }

    private CommitResult create(DatabaseSession session, Change change) throws SQLException {
        var task = change.after();
        var spec = task.spec();
        var key = spec.creationKey();
        var route = spec.source().route();
        if (key != null) {
            var existing = session.queryOne(
                    row -> row.getString(1), OF_KEY, spec.owner().value(), key.value());
            if (existing.isPresent()) {
                return new CommitResult.KeyTaken(new TaskId(existing.get()));
            }
        }
        if (!mayWrite(session, change, null)) {
            return new CommitResult.Fenced();
        }
        var indexed = Indexed.of(task);
        var inserted = session.update(
                INSERT,
                task.id().value(),
                spec.owner().value(),
                key == null ? null : key.value(),
                indexed.stage(),
                indexed.node(),
                indexed.epoch(),
                indexed.expiresAt(),
                task.stamp().version(),
                task.stamp().lastEvent(),
                Times.toColumn(task.stamp().updatedAt()),
                sealed(TaskForm.writeSpec(spec), TaskRows.spec(task.id().value())),
                sealed(TaskForm.writeBody(task), TaskRows.body(task.id().value())),
                route == null ? null : route.text());
        return inserted == 0 ? new CommitResult.Stale() : withEventsAndParts(session, change);
    }

    private CommitResult replace(DatabaseSession session, Task before, Change change) throws SQLException {
        if (!mayWrite(session, change, before.tenure().lease())) {
            return exists(session, before.id()) ? new CommitResult.Fenced() : new CommitResult.Missing();
        }
        if (update(session, before, change.after()) == 0) {
            return exists(session, before.id()) ? new CommitResult.Stale() : new CommitResult.Missing();
        }
        return withEventsAndParts(session, change);
    }

    private int update(DatabaseSession session, Task before, Task after) throws SQLException {
        var stamp = after.stamp();
        var updatedAt = Times.toColumn(stamp.updatedAt());
        var id = after.id().value();
        var body = sealed(TaskForm.writeBody(after), TaskRows.body(id));
        var expected = before.stamp().version();
        var indexed = Indexed.of(after);
        if (indexed.equals(Indexed.of(before))) {
            return session.update(UPDATE, stamp.version(), stamp.lastEvent(), updatedAt, body, id, expected);
        }
        return session.update(
                UPDATE_ALL,
                stamp.version(),
                stamp.lastEvent(),
                updatedAt,
                body,
                indexed.stage(),
                indexed.node(),
                indexed.epoch(),
                indexed.expiresAt(),
                id,
                expected);
    }

    private CommitResult withEventsAndParts(DatabaseSession session, Change change) throws SQLException {
        var task = change.after();
        var id = task.id().value();
        for (var event : change.events()) {
            if (!ImpliedEvents.has(task, event)) {
                var body = sealed(EventForm.write(event, task.ending()), TaskRows.event(id, event.seq()));
                session.update(INSERT_EVENT, id, event.seq(), body);
            }
        }
        for (var part : LargeParts.toWrite(change.before(), task).entrySet()) {
            var name = part.getKey();
            session.update(PUT_PART, id, name, sealed(part.getValue().bytes(), TaskRows.part(id, name)));
        }
        return new CommitResult.Committed();
    }

    private byte[] sealed(byte[] blob, String place) {
        return rows.seal().seal(blob, place);
    }

    /** The fence must be valid, and be the task's own lease, or become it where that is free. */
    private boolean mayWrite(DatabaseSession session, Change change, @Nullable Lease held) throws SQLException {
        var fence = change.fence();
        if (fence == null) {
            return true;
        }
        if (!isValid(session, fence)) {
            return false;
        }
        return fence.equals(held)
                || fence.equals(change.after().tenure().lease()) && (held == null || !isValid(session, held));
    }

    private boolean isValid(DatabaseSession session, Lease lease) throws SQLException {
        return Objects.equals(validLease(session).orElse(null), lease);
    }

    private Optional<Lease> validLease(DatabaseSession session) throws SQLException {
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

    private static boolean exists(DatabaseSession session, TaskId id) throws SQLException {
        return session.queryOne(row -> true, EXISTS, id.value()).isPresent();
    }

    private static int stageOf(@Nullable Ending ending) {
        if (ending == null) {
            return 2;
        }
        return ending.workEnded() ? 0 : 1;
    }

    private static @Nullable Long expiryOf(Task task) {
        var ending = task.ending();
        if (ending == null || !ending.workEnded()) {
            return null;
        }
        var expiry = task.status().retention().expiry(task.spec().createdAt(), ending.at());
        return expiry == null ? null : Times.toColumn(expiry);
    }
}
