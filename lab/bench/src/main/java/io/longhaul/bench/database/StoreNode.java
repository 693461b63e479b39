// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.database;

import io.longhaul.bench.store.ClosedLoop;
import io.longhaul.bench.store.MadeTasks;
import io.longhaul.engine.RandomTaskIds;
import java.time.Instant;

/** A store of one node among others, in which many threads create tasks, driven by {@link ClosedLoop}. */
final class StoreNode {

    private StoreNode() {}

    /** @param args the address of the schema, the number of threads, the name of the node */
    public static void main(String[] args) throws Exception {
        var ids = new RandomTaskIds();
        try (var store = BenchDatabase.store(args[0])) {
            var lease = store.join(args[2], Instant.now());
            new ClosedLoop(Integer.parseInt(args[1]))
                    .answer(() -> MadeTasks.commit(store, MadeTasks.creation(ids.next(Instant.now()), lease)));
        }
    }
}
