// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.database;

import io.longhaul.bench.store.ClosedLoop;
import io.longhaul.bench.store.MadeTasks;
import io.longhaul.engine.RandomTaskIds;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A store in which threads create tasks. The program answers a number of milliseconds as {@link ClosedLoop} does. For
 * the line {@code sweep}, it measures in the same way while it removes all expired tasks, as a node does.
 */
final class SweptStore {

    /** The number of tasks that a node removes at once. */
    private static final int BATCH = 500;

    private SweptStore() {}

    /** @param args the address of the schema, the number of threads */
    public static void main(String[] args) throws Exception {
        var loop = new ClosedLoop(Integer.parseInt(args[1]));
        var ids = new RandomTaskIds();
        try (var store = BenchDatabase.store(args[0])) {
            var lease = store.join("bench", Instant.now());
            Runnable create = () -> MadeTasks.commit(store, MadeTasks.creation(ids.next(Instant.now()), lease));
            System.out.println("ready");
            var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                var isOver = new AtomicBoolean();
                var now = Instant.now();
                if (line.equals("sweep")) {
                    Thread.ofVirtual().start(() -> {
                        while (store.sweep(now, BATCH) == BATCH) {
                            // The loop removes one batch after the other until none is left.
                        }
                        isOver.set(true);
                    });
                    System.out.println(loop.run(create, () -> !isOver.get()));
                } else {
                    var end = System.nanoTime()
                            + Duration.ofMillis(Long.parseLong(line)).toNanos();
                    System.out.println(loop.run(create, () -> System.nanoTime() - end < 0));
                }
            }
        }
    }
}
