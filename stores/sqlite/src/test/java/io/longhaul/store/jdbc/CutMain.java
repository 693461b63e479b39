// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.task;

import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Payload;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;

/** Has a store of some tasks open, and reads or writes when it is told to; prints what came of it. */
final class CutMain {
    private static final int TASKS = 400;

    private CutMain() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var file = Path.of(arguments[0]);
        try (var store = SqliteTaskStore.at(file)) {
            for (var i = 0; i < TASKS; i++) {
                store.commit(creation(task(i)));
            }
        }
        var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (var store = SqliteTaskStore.at(file)) {
            // Now the log says how many pages there are, as in a server that has written since its start.
            write(store);
            store.find(id(0));
            store.awaitCheck();
            System.out.println("open");
            for (var command = commands.readLine(); command != null; command = commands.readLine()) {
                System.out.println(outcome(command.equals("read") ? () -> readAll(store) : () -> write(store)));
            }
        }
    }

    /** Touches the first pages of the file alone. */
    private static void write(SqliteTaskStore store) {
        store.rows().put(new StoredRow("space", "key", Payload.ofText("value"), Instant.MAX));
    }

    private static void readAll(SqliteTaskStore store) {
        for (var i = 0; i < TASKS; i++) {
            if (store.find(id(i)).isEmpty()) {
                throw new IllegalStateException("task " + id(i) + " is gone");
            }
        }
    }

    private static String outcome(Runnable action) {
        try {
            action.run();
            return "done";
        } catch (StoreException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
