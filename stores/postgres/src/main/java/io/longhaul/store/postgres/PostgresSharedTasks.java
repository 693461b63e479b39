// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.longhaul.engine.store.Allotment;
import io.longhaul.engine.store.SharedTasks;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.store.jdbc.sql.ReadPool;
import io.longhaul.store.jdbc.sql.TaskRows;
import io.longhaul.store.jdbc.sql.WriteQueue;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The operations of several nodes that share one database. */
record PostgresSharedTasks(WriteQueue writer, ReadPool readers, TaskRows tasks, Leases leases, Wakes wakes)
        implements SharedTasks {

    private static final String VERSIONS = """
        SELECT id, version FROM task WHERE unfenced AND lease_node = ? AND lease_epoch = ?
        UNION ALL
        SELECT id, version FROM task WHERE id = ANY (?)
        """;

    private static final String HELD = "SELECT id FROM task WHERE lease_node = ? AND lease_epoch = ? AND stage > 0";

    private static final String LIVE = """
        SELECT t.owner, coalesce(l.node, ''), count(*), min(t.id) FROM task t
        LEFT JOIN lease l ON l.node = t.lease_node AND l.epoch = t.lease_epoch AND l.expires_at > '-infinity'
        WHERE t.owner = ANY (?) AND t.stage = 2 GROUP BY 1, 2
        """;

    private record Version(TaskId id, long number) {}

    private record Live(Owner owner, Allotment.Claim claim) {

        static Live of(ResultSet row) throws SQLException {
            int count = row.getInt(3);
            var claim = new Allotment.Claim(row.getString(2), count, count, new TaskId(row.getString(4)));
            return new Live(new Owner(row.getString(1)), claim);
        }
    }

    @Override
    public Runnable listen(String node, Runnable woken) {
        return wakes.add(List.of(node, Wakes.EVERYBODY), woken).end();
    }

    /** Reads the standing of the lease; the transaction then renews the lease, unless it is void. */
    @Override
    public Renewal renew(Lease lease) {
        return writer.write(session -> leases.renewal(session, lease));
    }

    @Override
    public News news(Lease lease, int nodes, Wanted wanted) {
        return readers.single(session -> leases.news(session, lease, nodes, wanted));
    }

    @Override
    public Lease joinAnew(Lease lost, Instant now) {
        return writer.write(session -> leases.join(session, lost.node(), true, now));
    }

    @Override
    public List<Task> claim(Lease lease, Wanted wanted, int limit, Instant now) {
        return writer.write(session -> leases.claim(session, lease, wanted, limit, now));
    }

    @Override
    public Set<TaskId> held(Lease lease) {
        return Set.copyOf(readers.read(
                session -> session.query(row -> new TaskId(row.getString(1)), HELD, lease.node(), lease.epoch())));
    }

    @Override
    public boolean drain(String node, boolean isDraining) {
        return writer.write(session -> Leases.drain(session, node, isDraining));
    }

    @Override
    public Map<TaskId, Long> versions(Lease lease, Set<TaskId> ids) {
        return readers.read(session -> {
            var array = session.array("text", ids.stream().map(TaskId::value).toArray(String[]::new));
            var versions = new HashMap<TaskId, Long>();
            session.query(
                            row -> new Version(new TaskId(row.getString(1)), row.getLong(2)),
                            VERSIONS,
                            lease.node(),
                            lease.epoch(),
                            array)
                    .forEach(version -> versions.put(version.id, version.number));
            return versions;
        });
    }

    @Override
    public OptionalLong version(TaskId id) {
        return tasks.version(readers, id);
    }

    @Override
    public Map<Owner, List<Allotment.Claim>> live(Set<Owner> owners) {
        return readers.read(session -> {
            var array = session.array(
                    "text",
                    owners.stream().map(Owner::value).filter(Texts::canBeStored).toArray(String[]::new));
            return session.query(Live::of, LIVE, array).stream()
                    .collect(groupingBy(Live::owner, mapping(Live::claim, toList())));
        });
    }

    @Override
    public Optional<Map<String, Allotment>> allot(Lease lease, List<Allotment.Want> wants) {
        return writer.write(session -> SlotRows.allot(session, lease, wants));
    }
}
