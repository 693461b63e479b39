// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskPosition;
import io.longhaul.store.jdbc.codec.Times;
import io.longhaul.store.jdbc.sql.ChangeRows;
import io.longhaul.store.jdbc.sql.SqlSession;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one transaction, written by one statement for all creations and one for all updates of tasks. Used by
 * the writer's thread only.
 *
 * <p>Each statement compares versions and leases in the rows that it writes, so that no other write comes in between. A
 * second query finds the reason of each refused change.
 */
final class CommitBatch {

    /** The most bytes of one statement: PostgreSQL accepts no more than a gibibyte. */
    private static final long MOST_BYTES = 16 << 20;

    /** Finds the lease of each change once for the statement, where the lease holds when the statement begins. */
    private static final String HELD = """
        LEFT JOIN (SELECT node AS held_node, epoch AS held_epoch
                   FROM lease WHERE expires_at > clock_timestamp()) AS held
            ON held_node = n.fence_node AND held_epoch = n.fence_epoch""";

    private static final String BECOMES_OWN = "(n.lease_node = n.fence_node AND n.lease_epoch = n.fence_epoch)";

    private static final String CREATE = """
        INSERT INTO task (id, owner, creation_key, stage, lease_node, lease_epoch, expires_at,
                          version, last_event, updated_at, spec, body, route, work)
        SELECT id, owner, creation_key, stage, lease_node, lease_epoch, expires_at,
               version, last_event, updated_at, spec, body, route, work
        FROM unnest(?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bytea[], ?::bigint[], ?::text[], ?::bigint[],
                    ?::bigint[], ?::text[], ?::bigint[], ?::text[], ?::text[], ?::bytea[], ?::text[], ?::text[])
            AS n (id, version, last_event, updated_at, body, stage, lease_node, lease_epoch,
                  expires_at, fence_node, fence_epoch, owner, creation_key, spec, route, work)
        %s
        WHERE n.fence_node IS NULL OR held_node IS NOT NULL AND %s
        ORDER BY id %%s
        RETURNING id
        """.formatted(HELD, BECOMES_OWN);

    /** Fails where the id of a task is taken; then each change gets a transaction of its own. */
    private static final String CREATE_NEW = CREATE.formatted("");

    /** Leaves out tasks whose id or creation key is taken, for which it looks into each unique index twice. */
    private static final String CREATE_FREE = CREATE.formatted("ON CONFLICT DO NOTHING");

    private static final String UPDATE = """
        UPDATE task t SET version = n.version, last_event = n.last_event, updated_at = n.updated_at, body = n.body,
                          stage = n.stage, lease_node = n.lease_node, lease_epoch = n.lease_epoch,
                          expires_at = n.expires_at, unfenced = n.fence_node IS NULL AND n.stage > 0
        FROM unnest(?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bytea[], ?::bigint[], ?::text[], ?::bigint[],
                    ?::bigint[], ?::text[], ?::bigint[])
            AS n (id, version, last_event, updated_at, body, stage, lease_node, lease_epoch,
                  expires_at, fence_node, fence_epoch)
        %s
        WHERE t.id = n.id AND t.version = n.version - 1
          AND (n.fence_node IS NULL OR held_node IS NOT NULL AND (
              t.lease_node = n.fence_node AND t.lease_epoch = n.fence_epoch
              OR %s AND (t.lease_node IS NULL OR NOT %s)))
        RETURNING t.id
        """.formatted(HELD, BECOMES_OWN, Leases.valid("t.lease"));

    private static final String EVENTS =
            "INSERT INTO event (task_id, seq, body) SELECT * FROM unnest(?::text[], ?::bigint[], ?::bytea[])";
    private static final String PARTS = """
        INSERT INTO part (task_id, name, body) SELECT * FROM unnest(?::text[], ?::text[], ?::bytea[])
        ON CONFLICT (task_id, name) DO UPDATE SET body = excluded.body
        """;
    private static final String OF_KEY = "SELECT id FROM task WHERE owner = ? AND creation_key = ?";
    private static final String MAY_WRITE = """
        SELECT %s AND (lease_node = fence_node AND lease_epoch = fence_epoch OR ? AND (lease_node IS NULL OR NOT %s))
        FROM task, (SELECT ?::text AS fence_node, ?::bigint AS fence_epoch) AS n WHERE id = ?
        """.formatted(Leases.valid("n.fence"), Leases.valid("task.lease"));
    private static final String HOLDS = "SELECT %s FROM (SELECT ?::text AS fence_node, ?::bigint AS fence_epoch) AS n"
            .formatted(Leases.valid("n.fence"));

    /** A change, and its result once it was written. */
    private static final class Entry {
        private final ChangeRows rows;
        private @Nullable CommitResult result;

        Entry(ChangeRows rows) {
            this.rows = rows;
        }

        boolean isCreation() {
            return rows.spec() != null;
        }

        boolean hasKey() {
            return rows.key() != null;
        }

        boolean isCommitted() {
            return result instanceof CommitResult.Committed;
        }
    }

    private final List<Entry> entries = new ArrayList<>();

    /** Adds a change to the transaction; the supplier gives the result after {@link #write}. */
    Supplier<CommitResult> add(ChangeRows rows) {
        var entry = new Entry(rows);
        entries.add(entry);
        return () -> {
            if (entry.result == null) {
                throw new IllegalStateException("the change of task " + rows.id() + " was not written");
            }
            return entry.result;
        };
    }

    /** Drops the changes that were not written. */
    void clear() {
        entries.clear();
    }

    /** Writes the added changes. */
    void write(SqlSession session) throws SQLException {
        int from = 0;
        while (from < entries.size()) {
            int to = end(from);
            writeSome(session, entries.subList(from, to));
            from = to;
        }
        entries.clear();
    }

    /** The end of the entries that fit into one statement, with each task at most once. */
    private int end(int from) {
        Set<String> ids = new HashSet<>();
        long bytes = 0;
        for (int at = from; at < entries.size(); at++) {
            var rows = entries.get(at).rows;
            bytes += size(rows);
            if (!ids.add(rows.id()) || at > from && bytes > MOST_BYTES) {
                return at;
            }
        }
        return entries.size();
    }

    private static long size(ChangeRows rows) {
        long size = rows.body().length;
        size += rows.spec() == null ? 0 : rows.spec().length;
        for (var event : rows.events()) {
            size += event.body().length;
        }
        for (var part : rows.parts()) {
            size += part.body().length;
        }
        return size;
    }

    private static void writeSome(SqlSession session, List<Entry> some) throws SQLException {
        var alone = some.size() == 1;
        settle(session, CREATE_NEW, some, entry -> entry.isCreation() && !alone && !entry.hasKey());
        settle(session, CREATE_FREE, some, entry -> entry.isCreation() && (alone || entry.hasKey()));
        settle(session, UPDATE, some, entry -> !entry.isCreation());
        for (var entry : some) {
            if (!entry.isCommitted()) {
                entry.result = entry.isCreation() ? refusedCreation(session, entry.rows) : refused(session, entry.rows);
            }
        }
        var written = some.stream()
                .filter(Entry::isCommitted)
                .map(entry -> entry.rows)
                .toList();
        writeEvents(session, written);
        writeParts(session, written);
        wake(session, written);
    }

    /** Notifies a node of writes of other nodes to its tasks, and all nodes of tasks that were given back. */
    private static void wake(SqlSession session, List<ChangeRows> written) throws SQLException {
        var concerned = new HashSet<Optional<String>>();
        for (var rows : written) {
            var holder = Optional.ofNullable(rows.indexed().lease()).map(Lease::node);
            if (rows.indexed().stage() > 0 && (holder.isEmpty() || fence(rows).isEmpty())) {
                concerned.add(holder);
            }
        }
        for (var node : concerned) {
            if (node.isPresent()) {
                Wakes.node(session, node.get());
            } else {
                Wakes.everybody(session);
            }
        }
    }

    /** Writes the chosen entries with a statement, which returns the ids of the tasks that it has written. */
    private static void settle(SqlSession session, String statement, List<Entry> some, Predicate<Entry> chosen)
            throws SQLException {
        var entries = some.stream().filter(chosen).toList();
        if (entries.isEmpty()) {
            return;
        }
        var columns = columns(session, entries, entries.getFirst().isCreation());
        var written = new HashSet<>(session.query(row -> row.getString(1), statement, columns));
        for (var entry : entries) {
            entry.result = written.contains(entry.rows.id()) ? new CommitResult.Committed() : null;
        }
    }

    private static Object[] columns(SqlSession session, List<Entry> entries, boolean isCreation) throws SQLException {
        var all = new ArrayList<Object>();
        all.add(texts(session, entries, ChangeRows::id));
        all.add(numbers(session, entries, rows -> position(rows).version()));
        all.add(numbers(session, entries, rows -> position(rows).lastEvent()));
        all.add(numbers(session, entries, rows -> Times.toColumn(position(rows).updatedAt())));
        all.add(blobs(session, entries.stream().map(entry -> entry.rows.body()).toList()));
        all.add(numbers(session, entries, rows -> (long) rows.indexed().stage()));
        all.add(texts(session, entries, rows -> rows.indexed().node()));
        all.add(numbers(session, entries, rows -> rows.indexed().epoch()));
        all.add(numbers(session, entries, rows -> rows.indexed().expiresAt()));
        all.add(texts(session, entries, rows -> fence(rows).map(Lease::node).orElse(null)));
        all.add(numbers(session, entries, rows -> fence(rows).map(Lease::epoch).orElse(null)));
        if (isCreation) {
            all.add(texts(
                    session, entries, rows -> rows.change().after().owner().value()));
            all.add(texts(session, entries, ChangeRows::key));
            all.add(blobs(
                    session, entries.stream().map(entry -> entry.rows.spec()).toList()));
            all.add(texts(session, entries, ChangeRows::route));
            all.add(texts(session, entries, ChangeRows::work));
        }
        return all.toArray();
    }

    private static TaskPosition position(ChangeRows rows) {
        return rows.change().after().position();
    }

    private static Optional<Lease> fence(ChangeRows rows) {
        return Optional.ofNullable(rows.change().fence());
    }

    private static Object texts(SqlSession session, List<Entry> entries, Function<ChangeRows, @Nullable String> value)
            throws SQLException {
        return session.array(
                "text", entries.stream().map(entry -> value.apply(entry.rows)).toArray(String[]::new));
    }

    private static Object numbers(SqlSession session, List<Entry> entries, Function<ChangeRows, @Nullable Long> value)
            throws SQLException {
        return session.array(
                "bigint", entries.stream().map(entry -> value.apply(entry.rows)).toArray(Long[]::new));
    }

    private static Object blobs(SqlSession session, List<byte[]> blobs) throws SQLException {
        return session.array("bytea", blobs.toArray(byte[][]::new));
    }

    /**
     * The reason why a creation was refused. The conflicting task may have been removed meanwhile; then the id counts
     * as taken.
     */
    private static CommitResult refusedCreation(SqlSession session, ChangeRows rows) throws SQLException {
        if (rows.key() != null) {
            var owner = rows.change().after().owner().value();
            var existing = session.queryOne(row -> row.getString(1), OF_KEY, owner, rows.key());
            if (existing.isPresent()) {
                return new CommitResult.KeyTaken(new TaskId(existing.get()));
            }
        }
        var fence = rows.change().fence();
        boolean mayWrite = fence == null
                || fence.equals(rows.indexed().lease())
                        && session.queryOne(row -> row.getBoolean(1), HOLDS, fence.node(), fence.epoch())
                                .orElse(false);
        return mayWrite ? new CommitResult.Stale() : new CommitResult.Fenced();
    }

    private static CommitResult refused(SqlSession session, ChangeRows rows) throws SQLException {
        var fence = rows.change().fence();
        if (fence == null) {
            var exists = session.queryOne(row -> true, "SELECT 1 FROM task WHERE id = ?", rows.id());
            return exists.isPresent() ? new CommitResult.Stale() : new CommitResult.Missing();
        }
        boolean becomesOwn = fence.equals(rows.indexed().lease());
        return session.queryOne(row -> row.getBoolean(1), MAY_WRITE, becomesOwn, fence.node(), fence.epoch(), rows.id())
                .<CommitResult>map(mayWrite -> mayWrite ? new CommitResult.Stale() : new CommitResult.Fenced())
                .orElseGet(CommitResult.Missing::new);
    }

    private static void writeEvents(SqlSession session, List<ChangeRows> written) throws SQLException {
        var ids = new ArrayList<String>();
        var numbers = new ArrayList<Long>();
        var bodies = new ArrayList<byte[]>();
        for (var rows : written) {
            for (var event : rows.events()) {
                ids.add(rows.id());
                numbers.add(event.seq());
                bodies.add(event.body());
            }
        }
        if (!ids.isEmpty()) {
            session.update(
                    EVENTS,
                    session.array("text", ids.toArray(String[]::new)),
                    session.array("bigint", numbers.toArray(Long[]::new)),
                    blobs(session, bodies));
        }
    }

    private static void writeParts(SqlSession session, List<ChangeRows> written) throws SQLException {
        var ids = new ArrayList<String>();
        var names = new ArrayList<String>();
        var bodies = new ArrayList<byte[]>();
        for (var rows : written) {
            for (var part : rows.parts()) {
                ids.add(rows.id());
                names.add(part.name());
                bodies.add(part.body());
            }
        }
        if (!ids.isEmpty()) {
            session.update(
                    PARTS,
                    session.array("text", ids.toArray(String[]::new)),
                    session.array("text", names.toArray(String[]::new)),
                    blobs(session, bodies));
        }
    }
}
