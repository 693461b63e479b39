package io.longhaul.store.jdbc;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.testkit.TaskListContract;
import java.security.SecureRandom;

/** A store with keys finds tasks by what it has sealed. */
final class SealedTaskListTest extends TaskListContract {

    private final DataKeys keys = DataKeys.parse(DataKeys.generate("k", new SecureRandom()));

    @Override
    protected TaskStore open() {
        return SqliteTaskStore.at(folder.resolve("tasks.db"), keys);
    }
}
