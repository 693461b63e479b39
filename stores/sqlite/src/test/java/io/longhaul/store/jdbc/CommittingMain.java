// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.end;
import static io.longhaul.store.contract.TaskFixtures.progress;
import static io.longhaul.store.contract.TaskFixtures.result;
import static io.longhaul.store.contract.TaskFixtures.start;
import static io.longhaul.store.contract.TaskFixtures.task;

import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.task.Task;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** Commits until it is killed, and prints each task and version after it was told that they are durable. */
final class CommittingMain {
    private static final int THREADS = 16;

    private final SqliteTaskStore store;

    private CommittingMain(SqliteTaskStore store) {
        this.store = store;
    }

    public static void main(String[] arguments) {
        var store = SqliteTaskStore.at(Path.of(arguments[0]));
        var next = new AtomicLong(Long.parseLong(arguments[1]));
        var main = new CommittingMain(store);
        var lease = store.join("crashing", NOW);
        for (var i = 0; i < THREADS; i++) {
            Thread.ofPlatform().start(() -> {
                while (true) {
                    var task = main.committed(creation(task(next.getAndIncrement())));
                    task = main.committed(start(task, lease));
                    task = main.committed(progress(task, 1));
                    main.committed(end(task, result("done"), NOW, true));
                }
            });
        }
    }

    private Task committed(Change change) {
        if (!(store.commit(change) instanceof CommitResult.Committed)) {
            throw new IllegalStateException("not committed: " + change);
        }
        var task = change.after();
        System.out.println(task.id() + " " + task.position().version());
        return task;
    }
}
