// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.store.postgres.PostgresTaskStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A stored task.
 *
 * @param label  of the call
 * @param events its whole history
 */
record Stored(String label, Task task, List<TaskEvent> events) {

    /** The environment variable with the password of a database. */
    static final String PASSWORD = "LONGHAUL_STORE_PASSWORD";

    private static final int PAGE = 500;

    /** Opens a store: a file, or the address of a database. */
    static TaskStore open(String place) {
        return place.startsWith("jdbc:")
                ? PostgresTaskStore.at(place, null, System.getenv(PASSWORD), DataKeys.NONE)
                : SqliteTaskStore.at(Path.of(place));
    }

    static List<Stored> in(TaskStore store) {
        return tasks(store, TaskFilter.ALL).stream()
                .map(task -> new Stored(TortureServer.label(task.spec().request()), task, events(store, task)))
                .toList();
    }

    static List<Task> tasks(TaskStore store, TaskFilter filter) {
        List<Task> all = new ArrayList<>();
        TaskId next = null;
        do {
            var page = store.list(filter, next, PAGE);
            all.addAll(page.tasks());
            next = page.next();
        } while (next != null);
        return all;
    }

    private static List<TaskEvent> events(TaskStore store, Task task) {
        List<TaskEvent> all = new ArrayList<>();
        var page = store.history(task.id(), 0, PAGE);
        while (!page.isEmpty()) {
            all.addAll(page);
            page = store.history(task.id(), page.getLast().seq(), PAGE);
        }
        return all;
    }
}
