// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.engine.store.Allotment;
import io.longhaul.engine.store.SharedTasks;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.store.jdbc.sql.ReadPool;
import io.longhaul.store.jdbc.sql.WriteQueue;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** What several nodes do with one database. */
record PostgresSharedTasks(WriteQueue writer, ReadPool readers, Leases leases) implements SharedTasks {

    private static final String VERSIONS = """
        SELECT id, version FROM task WHERE unfenced AND lease_node = ? AND lease_epoch = ?
        UNION ALL
        SELECT id, version FROM task WHERE id = ANY (?)
        """;

    private static final String VERSION = "SELECT version FROM task WHERE id = ?";

    private static final String LIVE_ELSEWHERE = """
        SELECT count(*) FROM task
        WHERE owner = ? AND stage = 2 AND (lease_node IS DISTINCT FROM ? OR lease_epoch <> ?)
        """;

    private record Version(TaskId id, long number) {}

    /** The transaction renews the lease behind this, unless it is void. */
    @Override
    public Renewal renew(Lease lease) {
        return writer.write(session -> leases.renewal(session, lease));
    }

    @Override
    public List<Task> claim(Lease lease, Set<String> works, int limit, Instant now) {
        return writer.write(session -> leases.claim(session, lease, works, limit, now));
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
        return readers.read(session -> session.queryOne(row -> OptionalLong.of(row.getLong(1)), VERSION, id.value()))
                .orElse(OptionalLong.empty());
    }

    @Override
    public int liveElsewhere(Owner owner, Lease lease) {
        return Texts.canBeStored(owner.value())
                ? readers.read(session -> session.queryOne(
                                row -> row.getInt(1), LIVE_ELSEWHERE, owner.value(), lease.node(), lease.epoch()))
                        .orElse(0)
                : 0;
    }

    @Override
    public Optional<Map<String, Allotment>> allot(Lease lease, List<Allotment.Want> wants) {
        return writer.write(session -> SlotRows.allot(session, lease, wants));
    }
}
