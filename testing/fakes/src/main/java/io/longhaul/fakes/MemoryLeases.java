// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fakes;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.store.SharedTasks.News;
import io.longhaul.engine.store.SharedTasks.Standing;
import io.longhaul.engine.task.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The leases of a store in memory: one lease at a time, or, with a clock, one for each node, which lapses. Used under
 * the lock of the store.
 */
final class MemoryLeases {

    static final Duration TERM = Duration.ofSeconds(15);

    /**
     * The newest lease of a node.
     *
     * @param since since when the lease has held without a gap, or since when it is void
     */
    private record Row(long epoch, Instant since, Instant expiresAt, boolean isVoid, boolean isDraining) {

        Row ended(Instant now) {
            return isVoid ? this : new Row(epoch, now, expiresAt, true, isDraining);
        }

        Row renewed(Instant now) {
            return new Row(epoch, expiresAt.isAfter(now) ? since : now, now.plus(TERM), false, isDraining);
        }
    }

    private final Map<String, Row> rows = new HashMap<>();
    private final @Nullable TaskTime clock;
    private long epoch;

    MemoryLeases(@Nullable TaskTime clock) {
        this.clock = clock;
    }

    MemoryLeases(MemoryLeases from) {
        this(from.clock);
        rows.putAll(from.rows);
        epoch = from.epoch;
    }

    boolean isShared() {
        return clock != null;
    }

    private Instant now() {
        return clock == null ? Instant.EPOCH : clock.now();
    }

    Lease join(String node) {
        if (clock == null) {
            rows.replaceAll((other, row) -> row.ended(now()));
        }
        return join(node, false);
    }

    Lease joinAnew(String node) {
        var row = rows.get(node);
        return join(node, row != null && row.isDraining);
    }

    private Lease join(String node, boolean isDraining) {
        rows.put(node, new Row(++epoch, now(), now().plus(TERM), false, isDraining));
        return new Lease(node, epoch);
    }

    void leave(Lease lease) {
        rows.computeIfPresent(lease.node(), (node, row) -> row.epoch == lease.epoch() ? row.ended(now()) : row);
    }

    Standing renew(Lease lease) {
        var row = rows.get(lease.node());
        if (row == null || row.epoch < lease.epoch()) {
            return Standing.VOID;
        }
        if (row.epoch > lease.epoch()) {
            return Standing.REPLACED;
        }
        if (row.isVoid) {
            return Standing.VOID;
        }
        rows.put(lease.node(), row.renewed(now()));
        return row.isDraining ? Standing.DRAINING : Standing.HELD;
    }

    /** Renews a lease and returns whether it holds. */
    boolean keep(Lease lease) {
        return switch (renew(lease)) {
            case HELD, DRAINING -> true;
            case VOID, REPLACED -> false;
        };
    }

    News news(Lease lease) {
        var row = rows.get(lease.node());
        if (row == null
                || row.epoch != lease.epoch()
                || row.isDraining
                || rows.values().stream().anyMatch(this::hasLapsed)) {
            return News.ANY;
        }
        return row.expiresAt.minus(TERM.multipliedBy(2).dividedBy(3)).isAfter(now()) ? News.NONE : News.RENEWAL;
    }

    private boolean hasLapsed(Row row) {
        return !row.isVoid && !row.expiresAt.isAfter(now());
    }

    boolean drain(String node, boolean isDraining) {
        var row = rows.get(node);
        if (row == null || row.isVoid) {
            return false;
        }
        rows.put(node, new Row(row.epoch, row.since, row.expiresAt, false, isDraining));
        return true;
    }

    /** Voids the lapsed leases, if {@code lease} itself has held for a term. */
    void endLapsed(Lease lease) {
        if (!rows.get(lease.node()).since.plus(TERM).isAfter(now())) {
            rows.replaceAll((node, row) -> row.expiresAt.isAfter(now()) ? row : row.ended(now()));
        }
    }

    /** The number of leases that are not void. */
    int count() {
        return (int) rows.values().stream().filter(row -> !row.isVoid).count();
    }

    boolean holds(Lease lease) {
        return !isVoid(lease) && rows.get(lease.node()).expiresAt.isAfter(now());
    }

    /**
     * Whether {@code node} may claim a task with this lease: a node that joins again may claim its own tasks before
     * others.
     *
     * @param patience for how long the task stays reserved for a node without a lease
     */
    boolean isFree(@Nullable Lease lease, String node, Duration patience) {
        var row = lease == null ? null : rows.get(lease.node());
        if (!isVoid(lease) || row == null || lease.node().equals(node)) {
            return isVoid(lease);
        }
        var left = row.isVoid || patience.compareTo(TERM) > 0 ? patience : TERM;
        return !row.since.plus(left).isAfter(now());
    }

    /** Whether no node owns the tasks with this lease. */
    boolean isVoid(@Nullable Lease lease) {
        var row = lease == null ? null : rows.get(lease.node());
        return row == null || row.epoch != lease.epoch() || row.isVoid;
    }
}
