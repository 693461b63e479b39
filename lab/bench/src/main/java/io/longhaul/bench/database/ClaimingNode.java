// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.database;

import io.longhaul.bench.store.ClosedLoop;
import io.longhaul.engine.store.SharedTasks.Wanted;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/** A node that looks for free tasks and finds none, as nodes do every second, driven by {@link ClosedLoop}. */
final class ClaimingNode {

    private static final int MOST = 100;

    private ClaimingNode() {}

    /** @param args the address of the schema */
    public static void main(String[] args) throws Exception {
        try (var store = BenchDatabase.store(args[0])) {
            var lease = store.join("bench", Instant.now());
            var tasks = store.sharedTasks().orElseThrow();
            var wanted = new Wanted(Set.of(BenchSchema.WORK), Set.of(), Duration.ZERO);
            new ClosedLoop(1).answer(() -> tasks.claim(lease, wanted, MOST, Instant.now()));
        }
    }
}
