// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.engine.store.Allotment;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.TaskId;
import io.longhaul.store.jdbc.sql.SqlSession;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Distributes the slots of works among nodes. Used by the writer's thread only. */
final class SlotRows {

    /**
     * A lock for one node at a time, until the end of its transaction. A node never waits for the lock, whose holder
     * may be paused: it keeps its allotment, and asks again. Later statements see the writes of the previous holder.
     */
    private static final String TRY_LOCK =
            "SELECT pg_try_advisory_xact_lock(hashtextextended(current_schema() || '.slot', 0))";

    private static final String FORGET = """
        DELETE FROM slot s
        WHERE work = ANY (?) AND NOT EXISTS (
            SELECT FROM lease l WHERE l.node = s.node AND l.epoch = s.epoch AND l.expires_at > '-infinity')
        """;

    private static final String MAY_HOLD =
            "SELECT true FROM lease WHERE node = ? AND epoch = ? AND expires_at > '-infinity'";

    private static final String ALL = "SELECT work, node, held, wanted, next FROM slot WHERE work = ANY (?)";

    private static final String PUT = """
        INSERT INTO slot (work, node, epoch, held, wanted, next) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (work, node) DO UPDATE
        SET epoch = excluded.epoch, held = excluded.held, wanted = excluded.wanted, next = excluded.next
        """;

    private record Row(String work, Allotment.Claim claim) {

        static Row of(ResultSet row) throws SQLException {
            var next = row.getString(5);
            return new Row(
                    row.getString(1),
                    new Allotment.Claim(
                            row.getString(2), row.getInt(3), row.getInt(4), next == null ? null : new TaskId(next)));
        }
    }

    private SlotRows() {}

    static Optional<Map<String, Allotment>> allot(SqlSession session, Lease lease, List<Allotment.Want> wants)
            throws SQLException {
        if (!isSo(session, TRY_LOCK) || !isSo(session, MAY_HOLD, lease.node(), lease.epoch())) {
            return Optional.empty();
        }
        var works =
                session.array("text", wants.stream().map(Allotment.Want::work).toArray(String[]::new));
        session.update(FORGET, works);
        var rows = session.query(Row::of, ALL, works);
        var given = new HashMap<String, Allotment>();
        for (var want : wants) {
            given.put(want.work(), allot(session, lease, want, rows));
        }
        return Optional.of(given);
    }

    private static boolean isSo(SqlSession session, String query, Object... values) throws SQLException {
        return session.queryOne(row -> row.getBoolean(1), query, values).orElse(false);
    }

    private static Allotment allot(SqlSession session, Lease lease, Allotment.Want want, List<Row> rows)
            throws SQLException {
        var all = rows.stream()
                .filter(row -> row.work.equals(want.work()))
                .map(Row::claim)
                .toList();
        var others =
                all.stream().filter(claim -> !claim.node().equals(lease.node())).toList();
        var own = all.stream()
                .filter(claim -> claim.node().equals(lease.node()))
                .findAny()
                .orElse(null);
        var allotment = Allotment.of(lease.node(), want, own == null ? 0 : own.held(), others);
        var claim = want.by(lease.node(), allotment.held());
        if (!claim.equals(own)) {
            put(session, lease, want.work(), claim);
        }
        return allotment;
    }

    private static void put(SqlSession session, Lease lease, String work, Allotment.Claim claim) throws SQLException {
        TaskId next = claim.next();
        session.update(
                PUT,
                work,
                lease.node(),
                lease.epoch(),
                claim.held(),
                claim.wanted(),
                next == null ? null : next.value());
    }
}
