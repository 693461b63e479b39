// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.store;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Lease;
import io.longhaul.store.jdbc.SqliteTaskStore;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Writes to a store, or reads from it, from many threads at once, driven by {@link ClosedLoop}. */
final class StoreWork {

    private static final int REQUEST_BYTES = 600;

    private final AtomicLong ids = new AtomicLong();

    private StoreWork() {}

    /**
     * @param args {@code append}, {@code commit} or {@code read}; the file; the number of threads; the number of tasks
     *     to read
     */
    public static void main(String[] args) throws Exception {
        var file = Path.of(args[1]);
        var loop = new ClosedLoop(Integer.parseInt(args[2]));
        if (args[0].equals("append")) {
            try (var appended = new AppendedFile(file)) {
                loop.answer(() -> appended.append(REQUEST_BYTES));
            }
            return;
        }
        var work = new StoreWork();
        try (var store = SqliteTaskStore.at(file)) {
            var lease = store.join("bench", Instant.now());
            if (args[0].equals("commit")) {
                loop.answer(() -> work.create(store, lease));
            } else {
                var tasks = Integer.parseInt(args[3]);
                var left = new AtomicLong(tasks);
                loop.run(() -> work.create(store, lease), () -> left.getAndDecrement() > 0);
                loop.answer(() -> look(store, tasks));
            }
        }
    }

    private void create(TaskStore store, Lease lease) {
        MadeTasks.commit(store, MadeTasks.creation(MadeTasks.id(ids.getAndIncrement()), lease));
    }

    private static void look(TaskStore store, int tasks) {
        var id = MadeTasks.id(ThreadLocalRandom.current().nextLong(tasks));
        if (store.find(id).isEmpty()) {
            throw new IllegalStateException("task " + id + " is gone");
        }
    }
}
