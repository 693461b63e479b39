// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fakes;

import io.longhaul.engine.store.Allotment;
import io.longhaul.engine.task.Lease;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The slots of each work that nodes hold. Used under the lock of the store. */
final class MemorySlots {

    private record Row(Lease lease, Allotment.Claim claim) {}

    private final Map<String, Map<String, Row>> works = new TreeMap<>();

    MemorySlots() {}

    MemorySlots(MemorySlots from) {
        from.works.forEach((work, rows) -> works.put(work, new TreeMap<>(rows)));
    }

    Map<String, Allotment> allot(Lease lease, List<Allotment.Want> wants, Predicate<Lease> isVoid) {
        var given = new HashMap<String, Allotment>();
        for (var want : wants) {
            var rows = works.computeIfAbsent(want.work(), work -> new TreeMap<>());
            rows.values().removeIf(row -> isVoid.test(row.lease));
            var own = rows.remove(lease.node());
            var others = rows.values().stream().map(Row::claim).toList();
            var allotment = Allotment.of(lease.node(), want, own == null ? 0 : own.claim.held(), others);
            rows.put(lease.node(), new Row(lease, want.by(lease.node(), allotment.held())));
            given.put(want.work(), allotment);
        }
        return given;
    }
}
